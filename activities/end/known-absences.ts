import type { AbsentEntity, DatasetTotals, FailedSlice } from '../../sinks/store.ts'
import type { ReportedTotals } from '../run-report.ts'

/**
 * Counts as `gone`, not `failed`, the slices of ids whose absence an earlier run already reported, so that an hourly
 * export is not partial for a year because one coin of two hundred is gone.
 */
export function withoutKnownAbsences(
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

/** Whether a failure is an absence that an earlier run already reported. */
export function isKnownAbsence(
  { dataset, entity, code }: FailedSlice,
  absences: readonly AbsentEntity[],
): boolean {
  return (
    code === 'SOURCE_NOT_FOUND' &&
    absences.some((one) => one.isTold && one.dataset === dataset && one.entity === entity)
  )
}
