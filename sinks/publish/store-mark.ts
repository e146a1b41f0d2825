import type { StoreReader } from './store-reader.ts'

/** The state of the store, to be compared with the published state. */
export interface StoreMark {
  loadId: number
  /** The parts of the ledger that change without a load, as one text. */
  ledger: string
}

/**
 * Numbers of ledger rows by part. A run without a slice has changed nothing and is left out. Of the other runs only the
 * verdict counts, because the report writes their end once more.
 */
function partsSql({ table }: Pick<StoreReader, 'table'>): string {
  return `SELECT state AS part, count(*) AS size, coalesce(epoch_ms(max(updated_at)), 0) AS at_ms
    FROM ${table('_slices')} GROUP BY state
  UNION ALL SELECT 'run ' || coalesce(verdict, 'open'), count(*), 0
    FROM ${table('_runs')} SEMI JOIN ${table('_slices')} USING (run_id) GROUP BY verdict
  UNION ALL SELECT 'unreachable', count(*), coalesce(epoch_ms(max(noted_at)), 0) FROM ${table('_unreachable')}
  UNION ALL SELECT 'requests', count(*), 0 FROM ${table('_requests')}
  UNION ALL SELECT 'quarantine', count(*), count(ended_at) FROM ${table('_quarantine')}
  UNION ALL SELECT 'universes', count(*), 0 FROM ${table('_universes')}
  UNION ALL SELECT 'layout', count(*), 0 FROM ${table('_schema_versions')}
  ORDER BY ALL`
}

/** Reads the mark. Equal marks: the publication lacks nothing. */
export async function storeMark(store: StoreReader): Promise<StoreMark> {
  const [load] = await store.rows(
    `SELECT coalesce(max(load_id), 0) AS load_id FROM ${store.table('_loads')}`,
  )
  const parts = await store.rows(partsSql(store))
  return {
    loadId: Number(load?.['load_id']),
    ledger: parts
      .map((row) => `${String(row['part'])}=${String(row['size'])}@${String(row['at_ms'])}`)
      .join(' '),
  }
}
