import { html } from 'hono/html'
import type { RunReport } from '../../../activities/run-report.ts'
import { approximateDuration, bytes, count, counted } from '../../render/quantities.ts'
import { unreachableLines } from '../../render/unreachable-lines.ts'
import { utcDay } from '../../render/utc-text.ts'
import type { RunFacts } from '../facts/run-facts.ts'
import { minuteText, prose, seriesText, tableHtml, type Html } from './texts.ts'

export function runSection({ report, begun, earlier }: RunFacts): Html {
  return html`<section id="run">
    <h2>Run</h2>
    ${
      begun === null
        ? ''
        : html`<p>
            Run <code>${begun.runId}</code>
            ${
              begun.state === 'going_on'
                ? 'was begun and has not ended; the following facts are of the run before.'
                : 'was begun and broken off.'
            }
          </p>`
    }
    ${report === null ? html`<p class="quiet">There is no report of a run here.</p>` : reportHtml(report)}
    ${
      earlier.length < 2
        ? ''
        : html`<details>
            <summary>The last ${count(earlier.length)} runs</summary>
            ${tableHtml(
              ['run', 'verdict', 'ended'],
              earlier.map((one) => [
                html`<code>${one.runId}</code>`,
                one.verdict,
                minuteText(one.finishedAt),
              ]),
            )}
          </details>`
    }
  </section>`
}

function reportHtml(report: RunReport): Html {
  const { slices, failures, fatal, lostKeys = [], shortChoices = [], unreachable } = report
  const tookMs = Date.parse(report.finishedAt) - Date.parse(report.startedAt)
  const done = slices.loaded + slices.provisional + slices.empty
  return html`<p>
      Run <code>${report.runId}</code> ended <b>${report.verdict}</b> at
      ${minuteText(report.finishedAt)} after ${approximateDuration(tookMs)}:
      ${counted(report.rows, 'row')}, ${counted(report.calls, 'call')}, ${count(done)} of
      ${counted(slices.planned, 'slice')}.
    </p>
    ${
      fatal === null ? '' : html`<p class="box bad"><b>${fatal.code}</b> ${prose(fatal.reason)}</p>`
    }
    ${lostKeys.map(
      ({ keyId, code, reason }) =>
        html`<p class="box warn"><b>${code}</b> key ${keyId} was left out: ${prose(reason)}</p>`,
    )}
    ${
      failures.length === 0
        ? ''
        : html`<h3>What failed</h3>
            <ul class="failures">
              ${failures.map(
                (one) =>
                  html`<li>
                    <b>${seriesText(one)}</b> ${utcDay(one.fromMs)} to ${utcDay(one.toMs)}
                    <code>${one.code}</code><br /><span class="quiet">${one.reason}</span>
                  </li>`,
              )}
            </ul>
            ${
              slices.failed > failures.length
                ? html`<p class="quiet">
                    and ${count(slices.failed - failures.length)} more, in the table
                    <code>_slices</code>
                  </p>`
                : ''
            }`
    }
    ${
      report.datasets.length === 0
        ? ''
        : tableHtml(
            ['dataset', 'rows', 'calls', 'slices', 'failed', 'quarantined'],
            report.datasets.map((one) => [
              one.dataset,
              count(one.rows),
              count(one.calls),
              `${count(one.loaded + one.provisional + one.empty)}/${count(one.planned)}`,
              count(one.failed),
              count(one.quarantined),
            ]),
            [1, 2, 3, 4, 5],
          )
    }
    ${shortChoices.map(
      ({ selector, chosen }) =>
        html`<p class="box warn">
          <code>${selector}</code> is ${counted(chosen, 'coin')}: the source listed no more when
          they were chosen.
        </p>`,
    )}
    ${unreachableLines(unreachable).map((line) => html`<p class="quiet">${line}</p>`)}
    ${
      report.publications.length === 0
        ? ''
        : html`<details>
            <summary>Publications</summary>
            ${tableHtml(
              ['publication', 'rows', 'size', 'path'],
              report.publications.map((one) => [
                one.changed ? one.publication : `${one.publication} (unchanged)`,
                count(one.rows),
                bytes(one.sizeBytes),
                html`<code>${one.path}</code>`,
              ]),
              [1, 2],
            )}
          </details>`
    }`
}
