import { DAY_MS } from '../../config/values/duration.ts'
import {
  type Data,
  DateDay,
  Field,
  Float64,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  TimestampMicrosecond,
} from 'apache-arrow'
import { booleanData, dictionaryData, utf8Data } from './arrow-values.ts'
import {
  type ColumnData,
  type ColumnsByName,
  rowCountOf,
  isList,
  type Numbers,
} from './column-data.ts'
import type { ColumnType, TableSpec } from '../dataset.ts'
import { nulls, Validity } from './validity.ts'

/** Splits a 64-bit integer into two 32-bit halves. A BigInt per value costs 20 times more. */
const TWO_POW_32 = 2 ** 32

const US_PER_MS = 1000

/**
 * An Arrow table of one batch with exactly the columns of the spec, in its order. Other columns are ignored.
 *
 * @throws Error when a column is missing, has another number of rows or other types. Only a mistake in coinlake's code
 *   causes it, never bad data.
 */
export function tableFromColumns(
  { name, columns }: TableSpec,
  values: ColumnsByName,
  rowCount: number,
): Table {
  const children = columns.map((column, index) => {
    const where = `${name}.${column.name}`
    const data = values[column.name]
    if (data === undefined) throw new Error(`${where}: no values given`)
    const rows = rowCountOf(data) ?? rowCount
    if (rows !== rowCount) throw new Error(`${where}: ${rows} values for ${rowCount} rows`)
    const child = BUILD[column.type](data, rowCount, index, where)
    if (column.nullable === false && child.nullCount > 0)
      throw new Error(`${where}: null in a column that has none`)
    return child
  })
  const fields = columns.map(
    ({ name: field, nullable }, index) =>
      new Field(field, children[index]!.type, nullable !== false),
  )
  const rows = makeData({ type: new Struct(fields), length: rowCount, nullCount: 0, children })
  return new Table([new RecordBatch(new Schema(fields), rows)])
}

type Build = (data: ColumnData, rowCount: number, dictionaryId: number, where: string) => Data

const BUILD: Readonly<Record<ColumnType, Build>> = {
  string: dictionaryData,
  json: (data, length, _, where) => utf8Data(data, length, where),
  boolean: (data, length, _, where) => booleanData(data, length, where),
  double: (data, length, _, where) => {
    const { numbers, validity } = numbersOf(data, length, where)
    return makeData({ type: new Float64(), data: numbers, length, ...nulls(validity) })
  },
  integer: (data, length, _, where) => {
    const { numbers, validity } = numbersOf(data, length, where)
    return makeData({ type: new Int64(), data: int64(numbers, 1), length, ...nulls(validity) })
  },
  timestamp: (data, length, _, where) => {
    const { numbers, validity } = numbersOf(data, length, where)
    const type = new TimestampMicrosecond('UTC')
    return makeData({ type, data: int64(numbers, US_PER_MS), length, ...nulls(validity) })
  },
  date: (data, length, _, where) => {
    const { numbers, validity } = numbersOf(data, length, where)
    return makeData({ type: new DateDay(), data: epochDays(numbers), length, ...nulls(validity) })
  },
}

/** One number per row, from any form of column data. @throws Error when a value is no number */
function numbersOf(data: ColumnData, rowCount: number, where: string): Numbers {
  if (!isList(data)) {
    if ('numbers' in data) return data
    const { constant } = data
    const numbers = new Float64Array(rowCount)
    if (constant === null) return { numbers, validity: Validity.none(rowCount) }
    return { numbers: numbers.fill(requireNumber(constant, where)) }
  }
  const numbers = new Float64Array(rowCount)
  const validity = new Validity(rowCount)
  for (let row = 0; row < rowCount; row++) {
    const value = data[row]!
    if (value === null) validity.setNull(row)
    else numbers[row] = requireNumber(value, where)
  }
  return { numbers, validity }
}

function requireNumber(value: unknown, where: string): number {
  if (typeof value === 'number') return value
  throw new Error(`${where}: not a number: ${JSON.stringify(value)}`)
}

/** Each number times `factor` as a 64-bit integer; exact below 2^53. */
function int64(numbers: Float64Array, factor: number): BigInt64Array {
  const halves = new Int32Array(numbers.length * 2)
  for (let i = 0; i < numbers.length; i++) {
    const scaled = numbers[i]! * factor
    halves[2 * i] = scaled
    halves[2 * i + 1] = Math.floor(scaled / TWO_POW_32)
  }
  return new BigInt64Array(halves.buffer)
}

function epochDays(numbers: Float64Array): Int32Array {
  const result = new Int32Array(numbers.length)
  for (let i = 0; i < numbers.length; i++) result[i] = Math.floor(numbers[i]! / DAY_MS)
  return result
}
