import type { DuckDBConnection } from '@duckdb/node-api'
import { rowsOf } from '../rows-of.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteText } from '../../datasets/table/ddl.ts'
import { WHOLE_TABLE } from '../ledger/row-tables.ts'
import { SinkError } from '../sink-error.ts'

export interface Partition {
  table: TableSpec
  /** YYYY-MM in UTC, or `all`. */
  month: string
  /** The load that last changed it. */
  loadId: number
  /** SQL of the rows' source. Default: the table of the store. */
  relation?: string
}

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/

/** All partitions that ever held rows. @throws SinkError STORE_DAMAGED: an invalid month, which would be a file name */
export async function readPartitions(
  connection: DuckDBConnection,
  tables: readonly TableSpec[],
): Promise<Partition[]> {
  const specs = new Map(tables.map((table) => [table.name, table]))
  const rows = await rowsOf(
    connection,
    `SELECT table_name, month, max(load_id) AS load_id FROM _partitions
     GROUP BY ALL ORDER BY ALL`,
  )
  return rows.flatMap((row) => {
    const table = specs.get(String(row['table_name']))
    if (table === undefined) return []
    const month = String(row['month'])
    if (table.monthBy === null ? month !== WHOLE_TABLE : !MONTH.test(month)) {
      throw new SinkError(`_partitions: ${table.name} has the month ${JSON.stringify(month)}`, {
        code: 'STORE_DAMAGED',
        hint: 'Report this; the store can be rebuilt by a backfill into a new warehouse.',
      })
    }
    return [{ table, month, loadId: Number(row['load_id']) }]
  })
}

export function partitionPath(table: string, month: string): string {
  return `${table}/${month}.parquet`
}

/** SQL condition for the rows of a partition. Its bounds are constants, so DuckDB skips other months. */
export function partitionFilter({ table, month }: Partition): string {
  if (table.monthBy === null) return 'true'
  const [year, monthOfYear] = month.split('-').map(Number) as [number, number]
  const from = new Date(Date.UTC(year, monthOfYear - 1)).toISOString()
  const to = new Date(Date.UTC(year, monthOfYear)).toISOString()
  const column = `"${table.monthBy}"`
  return `${column} >= TIMESTAMPTZ ${quoteText(from)} AND ${column} < TIMESTAMPTZ ${quoteText(to)}`
}
