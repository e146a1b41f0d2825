import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { quoteText } from '../../../datasets/table/ddl.ts'
import { SinkError } from '../../sink-error.ts'

/** Loads an extension of DuckDB from a folder; null: DuckDB downloads it once. @throws SinkError STORE_EXTENSION */
export async function loadExtension(
  connection: DuckDBConnection,
  name: string,
  dir: string | null,
): Promise<void> {
  try {
    if (dir === null) {
      await connection.run(`INSTALL ${name}`)
      await connection.run(`LOAD ${name}`)
    } else {
      await connection.run(`LOAD ${quoteText(join(dir, `${name}.duckdb_extension`))}`)
    }
  } catch (error) {
    const [version] = (await connection.runAndReadAll('SELECT version()')).getRows()[0] ?? []
    const text = error instanceof Error ? error.message : String(error)
    throw new SinkError(
      `cannot load the DuckDB extension ${name} (${String(version)}): ${text.split('\n')[0]}`,
      {
        code: 'STORE_EXTENSION',
        hint: `Put ${name}.duckdb_extension of DuckDB ${String(version)} into a folder and name that in COINLAKE_DUCKDB_EXTENSIONS, or let this machine reach the extension server of DuckDB.`,
        cause: error,
      },
    )
  }
}
