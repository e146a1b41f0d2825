import type { UnknownEntity } from '../../../plan/unknown-ids.ts'
import { runAbsencesSql, unknownSql } from '../../ledger/absences.ts'
import type { AbsentEntity } from '../../store.ts'
import type { LedgerContext, StoreContext } from '../store-context.ts'

/** Ids that the run asked for by name, and that the answers lacked. */
export async function absences({ reader }: StoreContext, runId: string): Promise<AbsentEntity[]> {
  return await reader.rows<AbsentEntity>(runAbsencesSql(runId))
}

/** Ids that the source does not know, as ended runs or the run `runId` found; null: ended runs only. */
export async function unknownEntities(
  { reader }: LedgerContext,
  runId: string | null,
): Promise<UnknownEntity[]> {
  return await reader.rows<UnknownEntity>(unknownSql(runId))
}
