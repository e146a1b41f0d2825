import type { AbsentEntity, DatasetTotals } from '../../sinks/store-records.ts'
import { cutText } from '../cut-text.ts'
import type { AbsentEntities, ReportedTotals } from '../run-report.ts'

/** Most failures and most absent ids in a report. The ledger has all. */
export const MOST_REPORTED = 20
/** Longer ids are cut in the report. */
export const MAX_ENTITY_CHARS = 60

/**
 * Counts as `gone`, not `failed`, the slices of absent ids that an earlier run reported. One vanished coin does not
 * make every later run partial.
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

/** The report's field for absent ids; none if no id is absent. */
export function reportedAbsences(all: readonly AbsentEntity[]): { absent?: AbsentEntities } {
  if (all.length === 0) return {}
  const named = all
    .toSorted((a, b) => Number(a.isTold) - Number(b.isTold))
    .slice(0, MOST_REPORTED)
    .map((one) => ({ ...one, entity: cutText(one.entity, MAX_ENTITY_CHARS) }))
  const rows: Record<string, number> = {}
  for (const one of all) rows[one.dataset] = (rows[one.dataset] ?? 0) + one.rows
  // An id without rows was refused; it counts among the failures.
  const newCount = all.filter(({ isTold, rows }) => !isTold && rows > 0).length
  return { absent: { count: all.length, newCount, rows, entities: named } }
}
