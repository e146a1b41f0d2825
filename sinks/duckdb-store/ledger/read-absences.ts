import type { UnknownEntity } from '../../../plan/unknown-ids.ts'
import { absenceOf, runAbsencesSql, unknownOf, unknownSql } from '../../ledger/absences.ts'
import type { AbsentEntity } from '../../store.ts'
import type { LedgerContext, StoreContext } from '../store-context.ts'

/** Ids that the run asked for by name and was not answered. */
export async function absences({ reader }: StoreContext, runId: string): Promise<AbsentEntity[]> {
  return (await reader.rows(runAbsencesSql(runId))).map(absenceOf)
}

/** Ids that the source does not know, as an ended run reported or this one (null: no other) found. */
export async function unknownEntities(
  { reader }: LedgerContext,
  runId: string | null,
): Promise<UnknownEntity[]> {
  return (await reader.rows(unknownSql(runId))).map(unknownOf)
}
