import { DuckDBInstance } from '@duckdb/node-api'

/** What the ledger says of the stretch from the first load of a run to the last. */
export interface SteadyLoad {
  loads: number
  rowsPerS: number
}

/** Reads it from a published file. A load is dated by its start, so the last one's rows do not count. */
export async function steadyLoad(file: string): Promise<SteadyLoad> {
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' })
  try {
    const connection = await instance.connect()
    const reader = await connection.runAndReadAll(
      `SELECT count(*)::INTEGER, epoch_ms(max(loaded_at)) - epoch_ms(min(loaded_at)),
         sum(rows_inserted) - max_by(rows_inserted, load_id) FROM _loads`,
    )
    const [loads, durationMs, rows] = (reader.getRows()[0] ?? []).map(Number)
    connection.closeSync()
    return { loads: loads ?? 0, rowsPerS: ((rows ?? 0) / (durationMs ?? 0)) * 1000 }
  } finally {
    instance.closeSync()
  }
}
