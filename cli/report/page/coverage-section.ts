import * as Plot from '@observablehq/plot'
import { html } from 'hono/html'
import { count, counted } from '../../render/quantities.ts'
import type { CoverageFacts } from '../facts/coverage-facts.ts'
import type { CellState, HeatMap } from '../facts/heat-map.ts'
import { drawSvg } from './draw-svg.ts'
import { cut, legend, quiet, section, type Html } from './texts.ts'
import { timeAxis } from './time-axis.ts'

type Drawn = NonNullable<CellState>

/** The colours of the states, in the order of the legend. */
const STATES: readonly { state: Drawn; color: string; meaning: string }[] = [
  { state: 'covered', color: 'var(--covered)', meaning: 'there' },
  { state: 'provisional', color: 'var(--provisional)', meaning: 'there, may still change' },
  { state: 'empty', color: 'var(--empty)', meaning: 'empty at the source' },
  { state: 'quarantined', color: 'var(--quarantined)', meaning: 'there, rows quarantined' },
  { state: 'missing_some', color: 'var(--missing-1)', meaning: 'under 10 % missing' },
  { state: 'missing_half', color: 'var(--missing-2)', meaning: 'under half missing' },
  { state: 'missing_most', color: 'var(--missing-3)', meaning: 'half or more missing' },
  { state: 'unreachable', color: 'var(--unreachable)', meaning: 'unreachable' },
]
const NOTHING = 'Nothing is known of any series yet.'
const ROW_PX = 17
const AXIS_PX = 32
const NAME_CHARS = { wide: 30, narrow: 15 }
const MARGIN_LEFT = { wide: 200, narrow: 108 }

/** Adjacent cells of one state, drawn as one rectangle. */
interface Stretch {
  row: number
  from: Date
  to: Date
  title: string
}

export function coverageSection({ histories, snapshots }: CoverageFacts): Html {
  const maps = [...histories, ...(snapshots === null ? [] : [snapshots])]
  const content = [
    legend(STATES.filter(({ state }) => isIn(maps, state))),
    ...histories.map((map) => mapHtml(map, `${map.dataset} ${map.granularity}`.trim())),
    snapshots && mapHtml(snapshots, 'snapshots and lists'),
  ]
  const isAny = maps.length > 0
  return section('coverage', 'Coverage', isAny ? content : quiet(NOTHING))
}

function isIn(maps: readonly HeatMap[], state: Drawn): boolean {
  return maps.some(({ all, rows }) =>
    [{ cells: all }, ...rows].some(({ cells }) => cells.includes(state)),
  )
}

function mapHtml(map: HeatMap, title: string): Html {
  const all = { name: `all ${count(map.series)} series`, cells: map.all }
  const rows = map.series > 1 && map.dataset !== 'snapshots' ? [all, ...map.rows] : map.rows
  const empty = map.emptyShare === 0 ? '' : `, ${share(map.emptyShare)} empty at the source`
  const summary =
    map.dataset === 'snapshots'
      ? `the last days, a column a ${map.unit}; blank = not asked for`
      : `${counted(map.series, 'series', 'series')}, ${share(map.coveredShare)} there${empty}, a column a ${map.unit}`
  return html`<figure>
    <figcaption><b>${title}</b> ${summary}</figcaption>
    ${draw(map, rows, `Coverage of ${title}: ${summary}`)}
    ${map.more > 0 && quiet(`and ${count(map.more)} more series, none worse than these`)}
  </figure>`
}

function share(part: number): string {
  return `${(Math.floor(part * 1000) / 10).toFixed(1)} %`
}

function draw({ bounds, unit }: HeatMap, rows: HeatMap['rows'], label: string) {
  const times = bounds.map((iso) => new Date(iso))
  const stretches = new Map<Drawn, Stretch[]>(STATES.map(({ state }) => [state, []]))
  rows.forEach(({ name, cells }, row) => {
    for (let start = 0; start < cells.length;) {
      let end = start + 1
      while (end < cells.length && cells[end] === cells[start]) end += 1
      const state = cells[start]
      if (state !== null && state !== undefined) {
        const span = `${bounds[start]!.slice(0, 10)} to ${bounds[end]!.slice(0, 10)}`
        const title = `${cut(name, 60)}, ${span}: ${meaningOf(state)}`
        stretches.get(state)!.push({ row, from: times[start]!, to: times[end]!, title })
      }
      start = end
    }
  })
  return drawSvg(label, ({ isNarrow }) => {
    const size = isNarrow ? 'narrow' : 'wide'
    return {
      height: rows.length * ROW_PX + 2 + AXIS_PX,
      marginLeft: MARGIN_LEFT[size],
      marginRight: 18,
      marginTop: 2,
      marginBottom: AXIS_PX,
      x: timeAxis(times[0]!, times.at(-1)!, isNarrow),
      y: {
        type: 'band',
        domain: rows.map((_, row) => row),
        label: null,
        tickSize: 0,
        tickFormat: (row: number) => cut(rows[row]!.name, NAME_CHARS[size]),
        padding: 0,
      },
      marks: [
        ...STATES.filter(({ state }) => stretches.get(state)!.length > 0).map(({ state, color }) =>
          Plot.barX(stretches.get(state), {
            x1: 'from',
            x2: 'to',
            y: 'row',
            fill: color,
            insetTop: 1,
            insetBottom: 1,
            // A phone has no pointer that could hover.
            ...(isNarrow ? {} : { title: 'title' }),
          }),
        ),
        // Days and months stand apart if there is room.
        ...(times.length <= (isNarrow ? 40 : 130) && unit !== 'year'
          ? [Plot.ruleX(times.slice(1, -1), { stroke: 'var(--card)', strokeWidth: 1 })]
          : []),
      ],
    }
  })
}

function meaningOf(state: Drawn): string {
  return STATES.find((one) => one.state === state)!.meaning
}
