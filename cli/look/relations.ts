import type { DuckDBConnection } from '@duckdb/node-api'
import { allTables } from '../../datasets/index.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteName } from '../../datasets/table/ddl.ts'
import { analystViews } from '../../sinks/views/analyst-views.ts'
import { isoSql } from '../ledger/open-ledger.ts'
import { alignColumns } from '../render/align-columns.ts'
import { count } from '../render/quantities.ts'
import { utcMinute } from '../render/utc-text.ts'

export interface Relation {
  name: string
  kind: 'table' | 'view'
  /** null for a view, because counting would compute it. */
  rows: number | null
  /** First and last time of its rows, ISO; null = it has no time. */
  from: string | null
  to: string | null
  /** Columns that identify a row; [] for a view. */
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
  for (const spec of allTables) {
    if (!names.has(spec.name)) continue
    const timeColumn = timeColumnOf(spec)
    const bounds =
      timeColumn === null
        ? 'NULL, NULL'
        : [`min(${quoteName(timeColumn)})`, newestTimeSql(spec, timeColumn)].map(isoSql).join()
    const [row] = await ask(`SELECT count(*), ${bounds} FROM main.${quoteName(spec.name)}`)
    const [rows, from, to] = row as [unknown, string | null, string | null]
    const { name, key, description } = spec
    tables.push({ name, kind: 'table', rows: Number(rows), from, to, key, description })
  }
  const views = analystViews
    .filter(({ name }) => names.has(name))
    .map(({ name, description }): Relation => {
      return { name, kind: 'view', rows: null, from: null, to: null, key: [], description }
    })
  return [...tables, ...views]
}

/** The time column of a table: the one that sets a row's month, else the first time in the sort order. */
function timeColumnOf({ monthBy, sort, columns }: TableSpec): string | null {
  const isTime = (name: string): boolean =>
    columns.some((column) => column.name === name && column.type === 'timestamp')
  return monthBy ?? sort.find(isTime) ?? null
}

/** A row that was seen again is as new as its last sight. */
function newestTimeSql({ columns }: TableSpec, timeColumn: string): string {
  const isSeenAgain = columns.some(({ name }) => name === 'last_seen_at')
  return `max(${quoteName(isSeenAgain ? 'last_seen_at' : timeColumn)})`
}

export function relationsText(found: readonly Relation[]): string[] {
  const moment = (iso: string | null): string => (iso === null ? '' : utcMinute(iso))
  const tables = found.filter(({ kind }) => kind === 'table')
  const views = found
    .filter(({ kind }) => kind === 'view')
    .map(({ name, description }) => [name, firstSentence(description)])
  return [
    ...alignColumns(
      ['table', 'rows', 'from', 'to', 'a row for each'],
      tables.map(({ name, rows, from, to, key }) => {
        return [name, count(rows ?? 0), moment(from), moment(to), key.join(', ')]
      }),
      [1],
    ),
    ...(views.length === 0 ? [] : ['', ...alignColumns(['view', ''], views)]),
    '',
    '`coinlake datasets NAME` explains the columns; the ledger is published too (`_slices`, `_requests`, `_loads` and others): `coinlake query "describe _slices"`',
  ]
}

function firstSentence(text: string): string {
  return /^.*?[.:;](?=\s|$)/.exec(text)?.[0].slice(0, -1) ?? text
}
