import type { StoreReader } from './store-reader.ts'

/** What the store holds, in a form that can be compared with what was published. */
export interface StoreMark {
  /** The newest load; 0 before the first. */
  loadId: number
  /** States and last change of the slices, and of what cannot be had: the ledger changes without any load. */
  ledger: string
}

/** Reads the mark. Needs the ledger tables `_loads`, `_slices` and `_unreachable`. */
export async function storeMark(store: StoreReader): Promise<StoreMark> {
  const [load] = await store.rows(
    `SELECT coalesce(max(load_id), 0) AS load_id FROM ${store.table('_loads')}`,
  )
  const slices = await store.rows(
    `SELECT state, count(*) AS slices, coalesce(epoch_ms(max(updated_at)), 0) AS updated_ms
     FROM ${store.table('_slices')} GROUP BY state
     UNION ALL
     SELECT 'unreachable', count(*), epoch_ms(max(noted_at)) FROM ${store.table('_unreachable')}
     HAVING count(*) > 0 ORDER BY state`,
  )
  return {
    loadId: Number(load?.['load_id']),
    ledger: slices
      .map((row) => `${String(row['state'])}=${String(row['slices'])}@${String(row['updated_ms'])}`)
      .join(' '),
  }
}
