import type { DuckDBConnection } from '@duckdb/node-api'
import { rowsOf } from '../rows-of.ts'

/** The state of the store. A publication with an equal mark lacks nothing. */
export interface StoreMark {
  loadId: number
  /** The parts of the ledger that change without a load, as one text. */
  ledger: string
}

/**
 * Numbers of ledger rows by part. A run without a slice has changed nothing and is left out. Of the other runs only the
 * verdict counts, because the report writes their `finished_at` again.
 */
const PARTS = `SELECT state AS part, count(*) AS size, coalesce(epoch_ms(max(updated_at)), 0) AS at_ms
    FROM _slices GROUP BY state
  UNION ALL SELECT 'run ' || coalesce(verdict, 'open'), count(*), 0
    FROM _runs SEMI JOIN _slices USING (run_id) GROUP BY verdict
  UNION ALL SELECT 'unreachable', count(*), coalesce(epoch_ms(max(noted_at)), 0) FROM _unreachable
  UNION ALL SELECT 'requests', count(*), 0 FROM _requests
  UNION ALL SELECT 'quarantine', count(*), count(ended_at) FROM _quarantine
  UNION ALL SELECT 'universes', count(*), 0 FROM _universes
  UNION ALL SELECT 'layout', count(*), 0 FROM _schema_versions
  ORDER BY ALL`

export async function storeMark(connection: DuckDBConnection): Promise<StoreMark> {
  const [load] = await rowsOf(connection, `SELECT coalesce(max(load_id), 0) AS load_id FROM _loads`)
  const parts = await rowsOf(connection, PARTS)
  return {
    loadId: Number(load?.['load_id']),
    ledger: parts
      .map((row) => `${String(row['part'])}=${String(row['size'])}@${String(row['at_ms'])}`)
      .join(' '),
  }
}
