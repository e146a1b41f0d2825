import type { DuckDBConnection } from '@duckdb/node-api'
import pLimit from 'p-limit'
import type { Clock } from '../../config/clock.ts'
import type { Dataset, Row, RowSelection, TableSpec } from '../../datasets/dataset.ts'
import { datasets } from '../../datasets/index.ts'
import { answerFromRows } from '../answer-from-rows.ts'
import type { AnswerSource } from '../answer-source.ts'
import { openPublishedFile } from './open-published-file.ts'
import { readRows } from './read-rows.ts'

export interface WarehouseSourceOptions {
  /** Opens a connection, which runs one query at a time. */
  connect: () => Promise<DuckDBConnection>
  datasets: readonly Dataset[]
  clock: Clock
  close?: () => void | Promise<void>
}

/** Most queries at once: more would only share the same cores. */
const CONNECTIONS = 2

/** Most entries in the cache of single rows, by which charts see that a coin is known. */
const MAX_SINGLE_ROWS = 10_000

/**
 * A published warehouse as a source. With the real clock "the last 7 days" of an old warehouse are empty.
 *
 * @throws ConfigError, those of openPublishedFile
 */
export async function createPublishedSource(path: string, clock: Clock): Promise<AnswerSource> {
  const instance = await openPublishedFile(path)
  return createWarehouseSource({
    connect: () => instance.connect(),
    datasets,
    clock,
    close: () => instance.closeSync(),
  })
}

/**
 * Answers from the tables of a warehouse. The dataset selects the rows of an operation and makes the body of them. A
 * missing table counts as empty if the operation has another: a warehouse has only what was exported.
 */
export async function createWarehouseSource(
  options: WarehouseSourceOptions,
): Promise<AnswerSource> {
  const connections: DuckDBConnection[] = []
  for (let i = 0; i < CONNECTIONS; i++) connections.push(await options.connect())
  const { tables, hasLedger } = await presentTables(connections[0]!, options.datasets)
  const idle = [...connections]
  const inTurn = pLimit(CONNECTIONS)

  const singleRows = new Map<string, Row[]>()
  const rowsOf = async (connection: DuckDBConnection, selection: RowSelection): Promise<Row[]> => {
    const table = tables.get(selection.table)
    if (table === undefined) return []
    const isTimed = selection.newest !== undefined || selection.between !== undefined
    if (selection.limit !== 1 || isTimed) return readRows(connection, table, selection, hasLedger)
    const key = JSON.stringify(selection)
    const known = singleRows.get(key)
    if (known !== undefined) return known
    const rows = await readRows(connection, table, selection, hasLedger)
    if (singleRows.size < MAX_SINGLE_ROWS) singleRows.set(key, rows)
    return rows
  }

  const readAll = async (selections: readonly RowSelection[]): Promise<Row[][]> => {
    const connection = idle.pop()!
    const rows: Row[][] = []
    try {
      for (const selection of selections) rows.push(await rowsOf(connection, selection))
    } finally {
      idle.push(connection)
    }
    return rows
  }

  return {
    ...answerFromRows(
      options.datasets,
      options.clock,
      (selections) => inTurn(readAll, selections),
      (table) => tables.has(table),
    ),
    close: async () => {
      for (const connection of connections) connection.closeSync()
      await options.close?.()
    },
  }
}

/** The tables of datasets that a warehouse has. The tables of a test may have no ledger. */
async function presentTables(connection: DuckDBConnection, datasets: readonly Dataset[]) {
  const reader = await connection.runAndReadAll(
    'SELECT table_name, list(column_name) FROM duckdb_columns() WHERE database_name = current_database() AND schema_name = current_schema() GROUP BY table_name',
  )
  const columnsOf = new Map(reader.getRowsJS() as [string, string[]][])
  const tables = new Map<string, TableSpec>()
  for (const table of datasets.flatMap((dataset) => dataset.tables)) {
    const names = columnsOf.get(table.name)
    if (names === undefined) continue
    const known = table.columns.filter(({ name }) => names.includes(name))
    tables.set(table.name, { ...table, columns: known })
  }
  return { tables, hasLedger: columnsOf.has('_slices') }
}
