import { html } from 'hono/html'
import { GAP_REASONS } from '../../gaps/gaps-text.ts'
import { absentLines } from '../../render/absent-lines.ts'
import { count, counted, dayCountText } from '../../render/quantities.ts'
import { unreachableLines } from '../../render/unreachable-lines.ts'
import type { GapFacts } from '../facts/gap-facts.ts'
import { boundText, folded, quiet, section, cutSeriesName, tableHtml, type Html } from './texts.ts'

const STATES = ['verified', 'provisional', 'empty', 'unreachable', 'missing'] as const

export function gapSection(gaps: GapFacts | null): Html {
  return section('gaps', 'Gaps', gaps ? gapsHtml(gaps) : quiet('Not known: see the notes above.'))
}

function gapsHtml(gaps: GapFacts): Html {
  const { summary, holes, holeCount, series, seriesBehind, pendingUniverses, doubtful } = gaps
  const notes = [...unreachableLines(gaps.unreachable), ...absentLines(gaps.absent)]
  const holeRows = holes.map((one) => [
    cutSeriesName(one),
    boundText(one.from),
    boundText(one.to),
    days(one.days),
    GAP_REASONS[one.reason] ?? one.reason,
  ])
  const doubts = doubtful.map((one) => [one.series, count(one.moved), count(one.unlisted)])
  const states = summary.map((one) => [
    `${one.dataset} ${one.granularity}`,
    count(one.series),
    ...STATES.map((state) => days(one.days[state])),
    one.quarantinedRows === 0 ? '-' : count(one.quarantinedRows),
  ])
  return html`<p>
      ${
        holeCount === 0
          ? 'No gaps.'
          : html`<b>${counted(holeCount, 'gap')}</b> in ${count(gaps.seriesWithHoles)} of
              ${counted(series, 'series', 'series')}.`
      }
      ${
        seriesBehind > 0 &&
        `${counted(seriesBehind, 'series', 'series')} lack only what came since they were fetched.`
      }
    </p>
    ${pendingUniverses.map(
      (selector) => html`<p>The coins of <code>${selector}</code> are not chosen yet.</p>`,
    )}
    ${holes.length > 0 && tableHtml(['series', 'from', 'to', 'days', 'why'], holeRows, [3])}
    ${
      holeCount > holes.length &&
      html`<p class="quiet">
        and ${count(holeCount - holes.length)} more:
        <code>coinlake gaps --limit ${holeCount}</code>
      </p>`
    }
    ${
      doubtful.length > 0 &&
      html`<h3>Listings that may lack items</h3>
        ${tableHtml(['listing', 'came on two pages', 'counted, on no page'], doubts, [1, 2])}`
    }
    ${notes.map((line) => html`<p>${line}</p>`)}
    ${folded(
      'Days by state',
      tableHtml(
        ['dataset', 'series', ...STATES, 'rows quarantined'],
        states,
        [1, 2, 3, 4, 5, 6, 7],
      ),
    )}`
}

function days(value: number): string {
  return value === 0 ? '-' : dayCountText(value)
}
