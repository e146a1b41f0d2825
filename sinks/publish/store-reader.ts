import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { quoteName } from '../../datasets/table/ddl.ts'
import { runScript } from '../run-script.ts'

/** The live store through its own connection: reads, and the writes of publications. No TEMP table shadows `table`. */
export interface StoreReader {
  /** A table of the store as SQL. Default schema: `main`. */
  table(name: string, schema?: string): string
  rows(sql: string): Promise<Record<string, DuckDBValue>[]>
  /** Runs a statement whose result is its row count (CREATE TABLE AS, COPY TO). */
  count(sql: string): Promise<number>
  run(sql: string): Promise<void>
  script(statements: readonly string[]): Promise<void>
  /** Runs `work` in one transaction: all its reads see one moment. */
  snapshot<T>(work: () => Promise<T>): Promise<T>
}

/** @throws the errors of DuckDB, which publications turn into a SinkError */
export async function storeReader(connection: DuckDBConnection): Promise<StoreReader> {
  async function rows(sql: string): Promise<Record<string, DuckDBValue>[]> {
    return (await connection.runAndReadAll(sql)).getRowObjects()
  }
  const [store] = await rows('SELECT current_database() AS name')
  const database = quoteName(String(store?.['name']))
  return {
    table: (name, schema = 'main') => `${database}.${quoteName(schema)}.${quoteName(name)}`,
    rows,
    async count(sql) {
      const [row] = (await connection.runAndReadAll(sql)).getRows()
      return Number(row?.[0] ?? 0)
    },
    async run(sql) {
      await connection.run(sql)
    },
    script: async (statements) => await runScript(connection, statements),
    async snapshot(work) {
      await connection.run('BEGIN')
      try {
        const result = await work()
        await connection.run('COMMIT')
        return result
      } catch (error) {
        // A failed COMMIT has rolled back. Only the first error matters.
        await connection.run('ROLLBACK').catch(() => undefined)
        throw error
      }
    },
  }
}
