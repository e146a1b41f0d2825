import type { ReportedTotals, RunReport } from '../run-report.ts'

/** The slices of a run, summed over its datasets. */
export function sumSlices(datasets: readonly ReportedTotals[]): RunReport['slices'] {
  const sum: RunReport['slices'] = {
    planned: 0,
    loaded: 0,
    provisional: 0,
    empty: 0,
    failed: 0,
    missing: 0,
  }
  for (const dataset of datasets) {
    sum.planned += dataset.planned
    sum.loaded += dataset.loaded
    sum.provisional += dataset.provisional
    sum.empty += dataset.empty
    sum.failed += dataset.failed
    sum.missing += dataset.missing
    if (dataset.gone !== undefined) sum.gone = (sum.gone ?? 0) + dataset.gone
  }
  return sum
}
