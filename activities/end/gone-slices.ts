import type { AbsentEntity, DatasetTotals, FailedSlice } from '../../sinks/store.ts'
import type { ReportedTotals } from '../run-report.ts'

/**
 * Removes slices of unlisted ids from the failures once an ended run has reported them: an hourly export must not be
 * partial for a year because one coin of two hundred is gone.
 */
export function withoutGone(
  totals: readonly DatasetTotals[],
  absences: readonly AbsentEntity[],
): ReportedTotals[] {
  return totals.map((one) => {
    const gone = absences
      .filter(({ dataset, isTold }) => isTold && dataset === one.dataset)
      .reduce((sum, { slices }) => sum + slices, 0)
    return gone === 0 ? one : { ...one, failed: one.failed - gone, gone }
  })
}

/** Whether a failure is only an absence that an earlier run has reported. */
export function isOfGone(
  { dataset, entity, code }: FailedSlice,
  absences: readonly AbsentEntity[],
): boolean {
  return (
    code === 'SOURCE_NOT_FOUND' &&
    absences.some((one) => one.isTold && one.dataset === dataset && one.entity === entity)
  )
}
