import { RUN_ABSENCES_SQL } from '../ledger/absences.ts'
import type { AbsentEntity } from '../store.ts'
import type { StoreContext } from './store-context.ts'

/** Ids that the run asked for by name and was not answered. See Store.absences. */
export async function absences({ reader }: StoreContext, runId: string): Promise<AbsentEntity[]> {
  const rows = await reader.rows(RUN_ABSENCES_SQL, { runId })
  return rows.map((row) => ({
    dataset: String(row['dataset']),
    entity: String(row['entity']),
    goneSinceMs: Number(row['since_ms']),
    wasListed: row['was_listed'] === true,
    isTold: row['is_told'] === true,
    rows: Number(row['rows']),
    slices: Number(row['slices']),
  }))
}
