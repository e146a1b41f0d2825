import {
  BIGINT,
  BOOLEAN,
  DATE,
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBType,
  TIMESTAMPTZ,
  VARCHAR,
} from '@duckdb/node-api'
import type { Data, Table as ArrowTable } from 'apache-arrow'
import type { Column, ColumnType } from '../datasets/dataset.ts'
import { ChunkWriter } from './chunk-writer.ts'
import { SinkError } from './sink-error.ts'

/** An open appender for Arrow tables of one shape. The table has the rows once the appender is closed. */
export interface ArrowAppender {
  /** Appends all rows of a page. @throws SinkError ARROW_MISMATCH when names, order or types differ */
  append(rows: ArrowTable, pageNo: bigint): void
  close(): void
}

/** The Arrow types that fit a column, as text. The block copy copies memory unchecked, so others are refused. */
const FITTING_TYPES: Record<ColumnType, readonly string[]> = {
  string: ['Utf8', 'Dictionary<Int32, Utf8>'],
  json: ['Utf8', 'Dictionary<Int32, Utf8>'],
  double: ['Float64'],
  integer: ['Int64'],
  boolean: ['Bool'],
  timestamp: ['Timestamp<MICROSECOND, UTC>'],
  date: ['Date32<DAY>'],
}

const DUCKDB_TYPES: Record<ColumnType, DuckDBType> = {
  string: VARCHAR,
  json: VARCHAR,
  double: DOUBLE,
  integer: BIGINT,
  boolean: BOOLEAN,
  timestamp: TIMESTAMPTZ,
  date: DATE,
}

/**
 * Blocks of 2,048 rows are copied bit for bit: value by value takes about 3 times as long. The table has `columns` in
 * this order, then a BIGINT with the number of the page.
 */
export async function openArrowAppender(
  connection: DuckDBConnection,
  tableName: string,
  columns: readonly Column[],
): Promise<ArrowAppender> {
  const appender = await connection.createAppender(tableName)
  const types = [...columns.map((column) => DUCKDB_TYPES[column.type]), BIGINT]
  const writer = new ChunkWriter(DuckDBDataChunk.create(types))
  return {
    append(rows, pageNo) {
      checkShape(tableName, rows, columns)
      for (const batch of rows.batches) {
        writer.begin(batch, pageNo)
        for (let start = 0; start < batch.numRows; start += writer.capacity) {
          appender.appendDataChunk(writer.fill(start))
        }
      }
    },
    close() {
      appender.closeSync()
    },
  }
}

function checkShape(tableName: string, rows: ArrowTable, columns: readonly Column[]): void {
  const { fields } = rows.schema
  const names = fields.map((field) => field.name).join()
  const wanted = columns.map((column) => column.name).join()
  // An Arrow table without rows may have no fields.
  if (names !== wanted && rows.numRows > 0) {
    throw mismatch(`rows for ${tableName} have the fields (${names}), not (${wanted})`)
  }
  for (const [index, field] of fields.entries()) {
    const column = columns[index]
    if (column !== undefined && !FITTING_TYPES[column.type].includes(String(field.type))) {
      throw mismatch(`${tableName}.${column.name} is ${column.type}, its rows are ${field.type}`)
    }
  }
  // The values of a sliced column are sliced, but not its bits.
  const isSliced = ({ offset }: Data): boolean => offset > 0
  if (rows.batches.some(({ data }) => data.children.some(isSliced))) {
    throw mismatch(`rows for ${tableName} are a slice of a table`)
  }
}

function mismatch(message: string): SinkError {
  return new SinkError(message, {
    code: 'ARROW_MISMATCH',
    hint: 'Rows must have exactly the columns of their TableSpec, in its order and types.',
  })
}
