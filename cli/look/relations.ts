import type { DuckDBConnection } from '@duckdb/node-api'
import { datasets } from '../../datasets/index.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteName } from '../../datasets/table/ddl.ts'
import { analystViews } from '../../sinks/views/analyst-views.ts'

/** A table or view that readers find. */
export interface Relation {
  name: string
  kind: 'table' | 'view'
  /** null of a view: to count its rows it would have to be computed. */
  rows: number | null
  /** First and last moment of its rows, ISO; null where it has none. */
  from: string | null
  to: string | null
  /** Columns that tell its rows apart; [] of a view. */
  key: readonly string[]
  description: string
}

/** The tables of data and the views of a publication; the ledger is left out. */
export async function relations(connection: DuckDBConnection): Promise<Relation[]> {
  const ask = async (sql: string): Promise<unknown[][]> =>
    (await connection.runAndReadAll(sql)).getRowsJson()
  const found = await ask(
    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main'",
  )
  const names = new Set(found.map(([name]) => String(name)))
  const tables: Relation[] = []
  for (const spec of datasets.flatMap((dataset) => dataset.tables)) {
    if (!names.has(spec.name)) continue
    const moment = momentOf(spec)
    const bounds = moment === null ? 'NULL, NULL' : ['min', 'max'].map((f) => iso(f, moment)).join()
    const [row = []] = await ask(`SELECT count(*), ${bounds} FROM main.${quoteName(spec.name)}`)
    const [rows, from, to] = row
    const { name, key, description } = spec
    tables.push({ name, kind: 'table', rows: Number(rows), ...range(from, to), key, description })
  }
  const views = analystViews
    .filter(({ name }) => names.has(name))
    .map(({ name, description }): Relation => {
      return { name, kind: 'view', rows: null, from: null, to: null, key: [], description }
    })
  return [...tables, ...views]
}

/** The column that says when: that of its months, else the first time of its order. */
function momentOf({ monthBy, sort, columns }: TableSpec): string | null {
  const isTime = (name: string): boolean =>
    columns.some((column) => column.name === name && column.type === 'timestamp')
  return monthBy ?? sort.find(isTime) ?? null
}

function iso(bound: string, column: string): string {
  return `strftime(${bound}(${quoteName(column)}) AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%SZ')`
}

function range(from: unknown, to: unknown): Pick<Relation, 'from' | 'to'> {
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  return { from: text(from), to: text(to) }
}
