import type { AbsentEntity, DatasetTotals, FailedSlice } from '../../sinks/store.ts'
import type { ReportedTotals } from '../run-report.ts'

/**
 * Counts slices of absent ids that an earlier run reported as `gone`, not `failed`. One vanished coin does not make every
 * later run partial.
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

/** Whether an earlier run has already reported the absent id of this failure. */
export function isKnownAbsence(
  { dataset, entity, code }: FailedSlice,
  absences: readonly AbsentEntity[],
): boolean {
  return (
    code === 'SOURCE_NOT_FOUND' &&
    absences.some((one) => one.isTold && one.dataset === dataset && one.entity === entity)
  )
}
