import type { AbsentEntity, DatasetTotals, FailedSlice } from '../../sinks/store.ts'
import type { ReportedTotals } from '../run-report.ts'

/**
 * Takes the slices of ids that are gone out of what failed, once a run that has ended has told of
 * them: an export that runs every hour for a year must not call each of its runs partial because one
 * coin of two hundred is no more.
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

/** Whether a failure is nothing but the absence that an earlier run has told of. */
export function isOfGone(
  { dataset, entity, code }: FailedSlice,
  absences: readonly AbsentEntity[],
): boolean {
  return (
    code === 'SOURCE_NOT_FOUND' &&
    absences.some((one) => one.isTold && one.dataset === dataset && one.entity === entity)
  )
}
