import type { RunReport } from '../../activities/activity-types.ts'
import { alignColumns } from './align-columns.ts'
import { bytes, count } from './quantities.ts'

/** The run report as lines for people: what came in by dataset, what is missing and why, where it lies. */
export function reportText(report: RunReport): string[] {
  const lines: string[] = []
  const seconds = (Date.parse(report.finishedAt) - Date.parse(report.startedAt)) / 1000
  lines.push(
    `${report.verdict}: ${count(report.rows)} rows, ${count(report.calls)} calls, ${seconds.toFixed(1)} s (run ${report.runId})`,
  )
  if (report.fatal !== null) lines.push(`stopped by ${report.fatal.code}: ${report.fatal.reason}`)
  if (report.slices.planned === 0) {
    lines.push('nothing to do: everything that was asked for is in the warehouse')
  } else {
    const rows = report.datasets.map((dataset) => [
      dataset.dataset,
      count(dataset.rows),
      count(dataset.calls),
      `${count(dataset.loaded + dataset.provisional + dataset.empty)}/${count(dataset.planned)}`,
      count(dataset.failed),
      count(dataset.quarantined),
    ])
    lines.push(
      ...alignColumns(
        ['dataset', 'rows', 'calls', 'slices', 'failed', 'quarantined'],
        rows,
        [1, 2, 3, 4, 5],
      ).map((line) => `  ${line}`),
    )
  }
  for (const dataset of report.datasets) {
    for (const [path, times] of Object.entries(dataset.unknownPaths)) {
      lines.push(
        `  unknown field in ${dataset.dataset}: ${path} (${count(times)} times, kept in _extra)`,
      )
    }
  }
  lines.push(...failureLines(report))
  for (const publication of report.publications) {
    const state = publication.changed ? 'published' : 'unchanged'
    lines.push(
      `  ${state} ${publication.publication}: ${publication.path} (${count(publication.rows)} rows, ${bytes(publication.sizeBytes)})`,
    )
  }
  for (const publication of report.publications) {
    for (const warning of publication.warnings ?? []) lines.push(`  warning: ${warning}`)
  }
  return lines
}

function failureLines({ failures, slices }: RunReport): string[] {
  const lines = failures.map((failure) => {
    const from = new Date(failure.fromMs).toISOString().slice(0, 10)
    const to = new Date(failure.toMs).toISOString().slice(0, 10)
    const series = [failure.dataset, failure.entity, failure.vsCurrency, failure.granularity]
    return `  failed ${series.filter((part) => part !== '').join(' ')} [${from}, ${to}): ${failure.code}: ${failure.reason}`
  })
  const unlisted = slices.failed - failures.length
  if (unlisted > 0) lines.push(`  ... and ${count(unlisted)} more failed slices (table _slices)`)
  if (slices.missing > 0) lines.push(`  ${count(slices.missing)} slices were not fetched yet`)
  return lines
}
