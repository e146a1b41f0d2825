import { universesTable } from '../../ledger/order-tables.ts'
import { appendRecords } from './append-records.ts'
import type { StoreContext } from '../store-context.ts'

/** Freezes the choice of a selector. A frozen choice stays. */
export async function freezeUniverse(
  { writer }: StoreContext,
  selector: string,
  coinIds: readonly string[],
  chosenAtMs: number,
): Promise<void> {
  await writer.transaction('freeze the universe in', async () => {
    const sql = 'SELECT 1 FROM _universes WHERE selector = $selector LIMIT 1'
    if ((await writer.rows(sql, { selector })).length > 0) return
    const records = coinIds.map((coinId, index) => ({
      selector,
      rank: index + 1,
      coin_id: coinId,
      chosen_at: chosenAtMs,
    }))
    await appendRecords(writer.connection, universesTable, records)
  })
}
