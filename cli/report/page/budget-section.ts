import * as Plot from '@observablehq/plot'
import { html } from 'hono/html'
import { formatDuration } from '../../../config/values/duration.ts'
import { monthText } from '../../render/month-text.ts'
import { count, counted } from '../../render/quantities.ts'
import type { BudgetFacts } from '../facts/budget-facts.ts'
import { drawSvg } from './draw-svg.ts'
import { legend, minuteText, quiet, section, type Html } from './texts.ts'
import { timeAxis } from './time-axis.ts'

const KINDS = [
  { kind: 'good', color: 'var(--covered)', meaning: 'answered' },
  { kind: 'throttled', color: 'var(--missing-2)', meaning: 'told to wait (429)' },
  { kind: 'failed', color: 'var(--missing-3)', meaning: 'failed' },
] as const
const HEIGHT_PX = 190
const LEAST_BINS = 30

export function budgetSection(budget: BudgetFacts): Html {
  const months = budget.months.map((month) => monthHtml(month, budget.months.length > 1))
  const isIdle = budget.over.length === 0
  const calls = isIdle ? quiet('No call was made yet.') : callsHtml(budget)
  return section('budget', 'Budget', [calls, ...months])
}

function callsHtml(budget: BudgetFacts): Html {
  const { calls, throttled, failed, busiestMinute, rate, binMs } = budget
  const most =
    busiestMinute &&
    `At most ${count(busiestMinute.calls)} within a minute (${minuteText(busiestMinute.at)}).`
  const limit =
    rate === null
      ? 'The rate is learned from headers.'
      : `The limit is ${count(rate.calls)} per ${formatDuration(rate.perMs)} and key.`
  return html`<p>
      <b>${counted(calls, 'call')}</b>: ${count(throttled)} told to wait, ${count(failed)} failed.
      ${most} ${limit}
    </p>
    ${legend(KINDS)}
    <figure>
      <figcaption>calls per ${formatDuration(binMs)}</figcaption>
      ${draw(budget)}
    </figure>`
}

function monthHtml(month: BudgetFacts['months'][number], isOneOfSeveral: boolean): Html {
  const { keyId, used, ceiling, reserve, startsAt } = month
  const name = isOneOfSeveral ? ` of key ${keyId}` : ''
  if (ceiling === null) {
    return html`<p>
      Month ${startsAt.slice(0, 7)}${name}: ${counted(used, 'call')}, no ceiling is known.
    </p>`
  }
  const share = ceiling === 0 ? 1 : Math.min(1, used / ceiling)
  const level = share >= 1 ? 'bad' : share >= 0.9 ? 'warn' : 'good'
  return html`<p>
      Month ${startsAt.slice(0, 7)}${name}: ${monthText({ used, ceiling, reserve: reserve ?? 0 })}.
    </p>
    <div class="meter" role="img" aria-label="${Math.round(share * 100)} % of the month used">
      <div class="${level}" style="width:${(share * 100).toFixed(1)}%"></div>
    </div>`
}

function draw({ over, binMs, calls }: BudgetFacts) {
  const bars = over.flatMap((bin) => {
    const x1 = new Date(bin.at)
    const x2 = new Date(x1.getTime() + binMs)
    let base = 0
    return KINDS.map(({ kind, color, meaning }) => {
      const bar = { x1, x2, y1: base, y2: base + bin[kind], color, kind }
      base = bar.y2
      return { ...bar, title: `${minuteText(bin.at)}: ${counted(bin[kind], 'call')} ${meaning}` }
    })
  })
  const first = bars[0]!.x1
  // A few bars stay narrow.
  const lastAt = new Date(Math.max(bars.at(-1)!.x2.getTime(), first.getTime() + LEAST_BINS * binMs))
  const most = Math.max(...bars.map(({ y2 }) => y2))
  return drawSvg(`Calls over time, ${counted(calls, 'call')} together`, ({ isNarrow }) => ({
    height: HEIGHT_PX,
    marginLeft: 44,
    marginRight: 26,
    marginBottom: 32,
    x: timeAxis(first, lastAt, isNarrow),
    y: { label: null, grid: true, ticks: Math.min(4, most), tickFormat: 'd' },
    marks: [
      ...KINDS.map(({ kind, color }) =>
        Plot.rect(
          bars.filter((bar) => bar.kind === kind && bar.y2 > bar.y1),
          { x1: 'x1', x2: 'x2', y1: 'y1', y2: 'y2', fill: color, insetLeft: 0.5, title: 'title' },
        ),
      ),
      Plot.ruleY([0]),
    ],
  }))
}
