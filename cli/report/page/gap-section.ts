import { html } from 'hono/html'
import { GAP_REASONS } from '../../gaps/gaps-text.ts'
import { absentLines } from '../../render/absent-lines.ts'
import { count, counted, dayCountText } from '../../render/quantities.ts'
import { unreachableLines } from '../../render/unreachable-lines.ts'
import type { GapFacts } from '../facts/gap-facts.ts'
import { boundText, seriesText, tableHtml, type Html } from './texts.ts'

const STATES = ['verified', 'provisional', 'empty', 'unreachable', 'missing'] as const

export function gapSection(gaps: GapFacts | null): Html {
  return html`<section id="gaps">
    <h2>Gaps</h2>
    ${gaps === null ? html`<p class="quiet">Not known: see the notes above.</p>` : gapsHtml(gaps)}
  </section>`
}

function gapsHtml(gaps: GapFacts): Html {
  const { summary, holes, holeCount, seriesBehind, pendingUniverses, doubtful, absent } = gaps
  const { unreachable } = gaps
  return html`<p>
      ${
        holeCount === 0
          ? 'No gaps.'
          : html`<b>${counted(holeCount, 'gap')}</b> in ${count(gaps.seriesWithHoles)} of
              ${counted(gaps.series, 'series', 'series')}.`
      }
      ${
        seriesBehind > 0
          ? html`${counted(seriesBehind, 'series', 'series')} lack only what came since they were
            fetched.`
          : ''
      }
    </p>
    ${pendingUniverses.map(
      (selector) => html`<p>The coins of <code>${selector}</code> are not chosen yet.</p>`,
    )}
    ${
      holes.length === 0
        ? ''
        : tableHtml(
            ['series', 'from', 'to', 'days', 'why'],
            holes.map((one) => [
              seriesText(one),
              boundText(one.from),
              boundText(one.to),
              days(one.days),
              GAP_REASONS[one.reason] ?? one.reason,
            ]),
            [3],
          )
    }
    ${
      holeCount > holes.length
        ? html`<p class="quiet">
            and ${count(holeCount - holes.length)} more:
            <code>coinlake gaps --limit ${holeCount}</code>
          </p>`
        : ''
    }
    ${
      doubtful.length === 0
        ? ''
        : html`<h3>Listings that may lack items</h3>
            ${tableHtml(
              ['listing', 'came on two pages', 'told of, not listed'],
              doubtful.map((one) => [one.series, count(one.moved), count(one.unlisted)]),
              [1, 2],
            )}`
    }
    ${unreachableLines(unreachable).map((line) => html`<p>${line}</p>`)}
    ${absentLines(absent, absent.length).map((line) => html`<p>${line}</p>`)}
    <details>
      <summary>Days by state</summary>
      ${tableHtml(
        ['dataset', 'series', ...STATES, 'rows quarantined'],
        summary.map((one) => [
          `${one.dataset} ${one.granularity}`,
          count(one.series),
          ...STATES.map((state) => days(one.days[state])),
          one.quarantinedRows === 0 ? '-' : count(one.quarantinedRows),
        ]),
        [1, 2, 3, 4, 5, 6, 7],
      )}
    </details>`
}

function days(value: number): string {
  return value === 0 ? '-' : dayCountText(value)
}
