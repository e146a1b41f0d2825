import { html } from 'hono/html'
import type { RunReport } from '../../../activities/run-report.ts'
import { bytes, count, counted, tookText } from '../../render/quantities.ts'
import { DATASET_HEADER, datasetCells } from '../../render/report-text.ts'
import { unreachableLines } from '../../render/unreachable-lines.ts'
import { utcDay } from '../../render/utc-text.ts'
import type { RunFacts } from '../facts/run-facts.ts'
import {
  folded,
  minuteText,
  prose,
  quiet,
  section,
  cutSeriesName,
  tableHtml,
  type Html,
} from './texts.ts'

export function runSection({ report, begun, earlier }: RunFacts): Html {
  const runs = earlier.map((one) => [
    html`<code>${one.runId}</code>`,
    one.verdict,
    minuteText(one.finishedAt),
  ])
  const state = begun && STATES[begun.state]
  return section('run', 'Run', [
    begun && html`<p>Run <code>${begun.runId}</code> ${state}</p>`,
    report === null ? quiet('There is no report of a run here.') : reportHtml(report),
    runs.length > 1 &&
      folded(`The last ${count(runs.length)} runs`, tableHtml(['run', 'verdict', 'ended'], runs)),
  ])
}

const STATES = {
  going_on: 'was begun and has not ended; the following facts are of the run before.',
  broken_off: 'was begun and broken off.',
}

function reportHtml(report: RunReport): Html {
  const { slices, fatal, lostKeys = [], shortChoices = [], unreachable } = report
  const tookMs = Date.parse(report.finishedAt) - Date.parse(report.startedAt)
  const done = slices.loaded + slices.provisional + slices.empty
  const datasets = report.datasets.map(datasetCells)
  const publications = report.publications.map((one) => [
    one.changed ? one.publication : `${one.publication} (unchanged)`,
    count(one.rows),
    bytes(one.sizeBytes),
    html`<code>${one.path}</code>`,
  ])
  return html`<p>
      Run <code>${report.runId}</code> ended <b>${report.verdict}</b> at
      ${minuteText(report.finishedAt)} after ${tookText(tookMs)}: ${counted(report.rows, 'row')},
      ${counted(report.calls, 'call')}, ${count(done)} of ${counted(slices.planned, 'slice')}.
    </p>
    ${fatal && html`<p class="box bad"><b>${fatal.code}</b> ${prose(fatal.reason)}</p>`}
    ${lostKeys.map(
      ({ keyId, code, reason }) =>
        html`<p class="box warn"><b>${code}</b> key ${keyId} was left out: ${prose(reason)}</p>`,
    )}
    ${report.failures.length > 0 && failuresHtml(report)}
    ${datasets.length > 0 && tableHtml(DATASET_HEADER, datasets, [1, 2, 3, 4, 5])}
    ${shortChoices.map(
      ({ selector, chosen }) =>
        html`<p class="box warn">
          <code>${selector}</code> is ${counted(chosen, 'coin')}: the source listed no more when
          they were chosen.
        </p>`,
    )}
    ${unreachableLines(unreachable).map(quiet)}
    ${
      publications.length > 0 &&
      folded(
        'Publications',
        tableHtml(['publication', 'rows', 'size', 'path'], publications, [1, 2]),
      )
    }`
}

function failuresHtml({ failures, slices }: RunReport): Html {
  const more = slices.failed - failures.length
  return html`<h3>What failed</h3>
    <ul class="failures">
      ${failures.map(
        (one) =>
          html`<li>
            <b>${cutSeriesName(one)}</b> ${utcDay(one.fromMs)} to ${utcDay(one.toMs)}
            <code>${one.code}</code><br /><span class="quiet">${one.reason}</span>
          </li>`,
      )}
    </ul>
    ${
      more > 0 &&
      html`<p class="quiet">and ${count(more)} more, in the table <code>_slices</code></p>`
    }`
}
