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
import { DataType, DateUnit, Precision, type Table as ArrowTable, TimeUnit } from 'apache-arrow'
import type { Column, ColumnType } from '../datasets/dataset.ts'
import { ChunkWriter } from './chunk-writer.ts'
import { SinkError } from './sink-error.ts'

/** An open appender for Arrow tables of one shape. The table has the rows once the appender is closed. */
export interface ArrowAppender {
  /** Appends all rows. `pageNo` is the page that has them, for a table with a page number. */
  append(rows: ArrowTable, pageNo?: bigint): void
  /** Writes the remaining rows, and ends the appender. */
  close(): void
}

/** The Arrow types that fit a column. The block copy needs these checks, because it copies memory unchecked. */
const FITS: Record<ColumnType, (type: DataType) => boolean> = {
  string: (type) => isStringDictionary(type) || DataType.isUtf8(type),
  json: (type) => DataType.isUtf8(type) || isStringDictionary(type),
  double: (type) => DataType.isFloat(type) && type.precision === Precision.DOUBLE,
  integer: (type) => DataType.isInt(type) && type.bitWidth === 64 && type.isSigned,
  boolean: (type) => DataType.isBool(type),
  timestamp: (type) => DataType.isTimestamp(type) && type.unit === TimeUnit.MICROSECOND,
  date: (type) => DataType.isDate(type) && type.unit === DateUnit.DAY,
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

function isStringDictionary(type: DataType): boolean {
  return (
    DataType.isDictionary(type) &&
    DataType.isUtf8(type.dictionary) &&
    DataType.isInt(type.indices) &&
    type.indices.bitWidth === 32
  )
}

/**
 * Opens an appender of Arrow tables. The table has `columns` in this order, then a BIGINT with the number of the page if
 * `hasPageNo`. The rows belong to the open transaction of the connection.
 *
 * @throws SinkError ARROW_MISMATCH when the table has other columns
 */
export async function openArrowAppender(
  connection: DuckDBConnection,
  tableName: string,
  columns: readonly Column[],
  hasPageNo = false,
): Promise<ArrowAppender> {
  const appender = await connection.createAppender(tableName)
  const types = [
    ...columns.map((column) => DUCKDB_TYPES[column.type]),
    ...(hasPageNo ? [BIGINT] : []),
  ]
  const actual = Array.from({ length: appender.columnCount }, (_, i) => appender.columnType(i))
  if (actual.join() !== types.join()) {
    appender.closeSync()
    throw mismatch(`table ${tableName} has the columns (${actual.join()}), not (${types.join()})`)
  }
  const writer = new ChunkWriter(DuckDBDataChunk.create(types), columns.length)
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

/**
 * Appends an Arrow table by block copy, 2,048 rows at a time, bit for bit. A copy value by value takes about 3 times as
 * long. `columns` are the columns of both tables, in order.
 *
 * @returns the number of rows
 * @throws SinkError ARROW_MISMATCH when names, order or types differ
 */
export async function appendArrow(
  connection: DuckDBConnection,
  tableName: string,
  rows: ArrowTable,
  columns: readonly Column[],
): Promise<number> {
  const appender = await openArrowAppender(connection, tableName, columns)
  try {
    appender.append(rows)
  } finally {
    appender.close()
  }
  return rows.numRows
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
    if (column !== undefined && !FITS[column.type](field.type)) {
      throw mismatch(`${tableName}.${column.name} is ${column.type}, its rows are ${field.type}`)
    }
  }
}

function mismatch(message: string): SinkError {
  return new SinkError(message, {
    code: 'ARROW_MISMATCH',
    hint: 'Rows must have exactly the columns of their TableSpec, in its order and types.',
  })
}
