import { quoteText } from '../../datasets/table/ddl.ts'
import { keepUniverse } from '../../stage/universe-files.ts'
import type { StoreDeps } from '../activity-deps.ts'

/** Copies the chosen coins of selectors from the ledger into the stage, where `restore` finds them. */
export async function stageChosenCoins(
  { store, stageDir }: Pick<StoreDeps, 'store' | 'stageDir'>,
  selectors: readonly string[],
): Promise<void> {
  for (const selector of selectors) {
    const rows = await store.query(
      `SELECT coin_id, epoch_ms(chosen_at) AS chosen_ms FROM _universes
       WHERE selector = ${quoteText(selector)} ORDER BY rank`,
    )
    if (rows.length === 0) continue
    const coinIds = rows.map((row) => String(row['coin_id']))
    await keepUniverse(stageDir, { selector, coinIds, chosenAtMs: Number(rows[0]!['chosen_ms']) })
  }
}
