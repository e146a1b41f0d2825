import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { type Compared, compareTables } from './compare-tables.ts'
import { askedFor, EXPECTED_TABLES } from './expected/expected-tables.ts'
import type { PlacedBody } from './asked-names.ts'
import { memoryDuckdb } from '../parts/duckdb.ts'

/** Technical columns: what they keep is proven by serving the recording again. */
export const TECHNICAL = [
  '_absent',
  '_extra',
  'is_provisional',
  'is_moving',
  'fetched_at',
  'slice_id',
  'load_id',
]

export interface PublishedTables {
  /** Holds a recording against the rows of it. */
  compare(body: PlacedBody, observedAtMs: number): Promise<Compared>
}

/** Opens the published file of a warehouse in a DuckDB of its own, in a zone that is not UTC. */
export async function publishedTables(paths: WarehousePaths): Promise<PublishedTables> {
  const connection = await memoryDuckdb()
  await connection.run("SET TimeZone = 'Asia/Kolkata'")
  await connection.run(`ATTACH ${text(paths.duckdbLink)} AS published (READ_ONLY)`)

  return {
    compare: async (body, observedAtMs) => {
      const asked = askedFor(body, observedAtMs)
      const total: Compared = { rows: 0, values: 0, differences: [] }
      for (const { table, sql, key, rows, json } of EXPECTED_TABLES[body.operation](asked)) {
        const found = await compareTables(connection, {
          expected: sql.replaceAll('{file}', text(body.path)),
          actual: `FROM published.${table} WHERE ${rows}`,
          key,
          ignored: TECHNICAL,
          json,
        })
        total.rows += found.rows
        total.values += found.values
        total.differences.push(...found.differences.map((what) => `${table}: ${what}`))
      }
      return total
    },
  }
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}
