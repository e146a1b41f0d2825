import type { DuckDBConnection } from '@duckdb/node-api'
import type { OperationId } from '../../api/operations.ts'
import type { Clock } from '../../config/clock.ts'
import type { Answer, Dataset, Row, RowSelection, TableSpec } from '../../datasets/dataset.ts'
import type { AnswerSource } from '../answer-source.ts'
import { readRows } from './read-rows.ts'

export interface WarehouseSourceOptions {
  /** Opens a connection, which runs one query at a time. */
  connect: () => Promise<DuckDBConnection>
  datasets: readonly Dataset[]
  clock: Clock
  /** Makes rows before they are read, if the warehouse makes some on request. The returned function releases them. */
  prepare?: (selections: readonly RowSelection[]) => Promise<() => void>
  close?: () => void | Promise<void>
}

/** Most queries at once: more would only share the same cores. */
const CONNECTIONS = 2

/** Most entries in the cache of single rows, by which charts see that a coin is known. */
const MAX_SINGLE_ROWS = 10_000

/**
 * Answers from the tables of a warehouse. The dataset selects the rows of an operation and makes the body of them. A
 * missing table counts as empty: a warehouse has only what was exported.
 */
export async function createWarehouseSource(
  options: WarehouseSourceOptions,
): Promise<AnswerSource> {
  const connections: DuckDBConnection[] = []
  for (let i = 0; i < CONNECTIONS; i++) connections.push(await options.connect())
  const tables = await presentTables(connections[0]!, options.datasets)
  const answers = answersByOperation(options.datasets)
  const idle = [...connections]
  const waiting: ((connection: DuckDBConnection) => void)[] = []
  const take = (): DuckDBConnection | Promise<DuckDBConnection> =>
    idle.pop() ?? new Promise((resolve) => waiting.push(resolve))
  const giveBack = (connection: DuckDBConnection): void => {
    const next = waiting.shift()
    if (next === undefined) idle.push(connection)
    else next(connection)
  }

  const singleRows = new Map<string, Row[]>()
  const rowsOf = async (connection: DuckDBConnection, selection: RowSelection): Promise<Row[]> => {
    const table = tables.get(selection.table)
    if (table === undefined) return []
    const isTimed = selection.newest !== undefined || selection.between !== undefined
    if (selection.limit !== 1 || isTimed) return readRows(connection, table, selection)
    const key = JSON.stringify(selection)
    const known = singleRows.get(key)
    if (known !== undefined) return known
    const rows = await readRows(connection, table, selection)
    if (singleRows.size < MAX_SINGLE_ROWS) singleRows.set(key, rows)
    return rows
  }

  const ask: AnswerSource['answer'] = async (operation, params) => {
    if (operation === 'ping') return { kind: 'json', body: { status: 'OK' } }
    const answer = answers.get(operation)
    if (answer === undefined) return { kind: 'not_found' }
    const nowMs = options.clock.nowMs()
    const selections = answer.select(params, nowMs)
    // Before a connection is taken: a request that waits for rows must hold none.
    const release = await options.prepare?.(selections)
    const rows: Row[][] = []
    try {
      const connection = await take()
      try {
        for (const selection of selections) rows.push(await rowsOf(connection, selection))
      } finally {
        giveBack(connection)
      }
    } finally {
      release?.()
    }
    const body = answer.toBody(rows, params, nowMs)
    return body === null ? { kind: 'not_found' } : { kind: 'json', body }
  }

  return {
    clock: options.clock,
    answer: ask,
    currencies: async () => {
      const answered = await ask('simple/supported_vs_currencies', {})
      const codes = answered.kind === 'json' && Array.isArray(answered.body) ? answered.body : []
      return new Set(codes.map(String))
    },
    close: async () => {
      for (const connection of connections) connection.closeSync()
      await options.close?.()
    },
  }
}

function answersByOperation(datasets: readonly Dataset[]): Map<OperationId, Answer> {
  const entries = datasets.flatMap((dataset) => Object.entries(dataset.answers))
  return new Map(entries as [OperationId, Answer][])
}

async function presentTables(
  connection: DuckDBConnection,
  datasets: readonly Dataset[],
): Promise<Map<string, TableSpec>> {
  const reader = await connection.runAndReadAll(
    'SELECT table_name, list(column_name) FROM duckdb_columns() WHERE database_name = current_database() AND schema_name = current_schema() GROUP BY table_name',
  )
  const columnsOf = new Map(reader.getRowsJS() as [string, string[]][])
  const present = new Map<string, TableSpec>()
  for (const table of datasets.flatMap((dataset) => dataset.tables)) {
    const names = columnsOf.get(table.name)
    if (names === undefined) continue
    const known = table.columns.filter(({ name }) => names.includes(name))
    present.set(table.name, { ...table, columns: known })
  }
  return present
}
