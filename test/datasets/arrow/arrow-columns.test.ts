import { tableFromIPC, tableToIPC } from 'apache-arrow'
import { expect, test } from 'vitest'
import { tableFromColumns } from '../../../datasets/arrow/arrow-columns.ts'
import type { ColumnData } from '../../../datasets/arrow/column-data.ts'
import type { ColumnType, TableSpec } from '../../../datasets/dataset.ts'
import { rowsOf } from '../rows-of.ts'

function specOf(types: Record<string, ColumnType>, nullable = true): TableSpec {
  const columns = Object.entries(types).map(([name, type]) => ({
    name,
    type,
    unit: null,
    description: 'A column.',
    nullable,
  }))
  return { name: 't', description: 'T.', columns, key: [], sort: [], load: 'facts', monthBy: null }
}

const ALL = specOf({
  s: 'string',
  j: 'json',
  d: 'double',
  i: 'integer',
  b: 'boolean',
  t: 'timestamp',
  a: 'date',
})

const YEAR_2255_MS = 9_007_199_254_740

test.each<[string, ColumnType, (string | number | boolean | null)[]]>([
  [
    'texts',
    'string',
    ['', 'a', 'twelve bytes', 'thirteen byte', '🦀', 'a', null, 'null', '\u0000'],
  ],
  ['json', 'json', [null, '{}', '["ü"]', null]],
  ['doubles', 'double', [0, -0, 5e-324, 1.7976931348623157e308, 2 ** 53 + 2, 0.1 + 0.2, null]],
  ['integers', 'integer', [0, -1, 2 ** 32, -(2 ** 32), 2 ** 53 - 1, -(2 ** 53 - 1), null]],
  ['booleans', 'boolean', [true, false, null, true, true, false, null, false, true]],
  ['times', 'timestamp', [0, -1, -4_294_968, 1_711_983_682_123, YEAR_2255_MS, -YEAR_2255_MS, null]],
  ['no value at all', 'string', [null, null, null]],
  ['nothing', 'string', []],
])('%s come back bit for bit, also through IPC', (_, type, values) => {
  const spec = specOf({ x: type })
  const table = tableFromColumns(spec, { x: values }, values.length)
  expect(rowsOf(spec, table).map((row) => row['x'])).toEqual(values)
  const copy = tableFromIPC(tableToIPC(table, 'file'))
  if (values.length > 0) expect(rowsOf(spec, copy).map((row) => row['x'])).toEqual(values)
  expect(String(copy.schema)).toBe(String(table.schema))
})

test('a date holds the UTC day of any time in it', () => {
  const spec = specOf({ x: 'date' })
  const times = [0, 86_399_999, 86_400_000, -1, Date.UTC(2024, 1, 29, 23, 59), null]
  const dates = ['1970-01-01', '1970-01-01', '1970-01-02', '1969-12-31', '2024-02-29', null]
  const table = tableFromColumns(spec, { x: times }, times.length)
  expect(rowsOf(spec, table).map((row) => row['x'])).toEqual(dates)
})

test.each([9, 2049])('constants fill %i rows', (rowCount) => {
  const values = { s: 'bitcoin', j: '{}', d: 1.5, i: 7, b: true, t: 86_400_000, a: 86_400_000 }
  const columns = Object.fromEntries(
    Object.entries(values).map(([name, constant]) => [name, { constant }]),
  )
  const rows = rowsOf(ALL, tableFromColumns(ALL, columns, rowCount))
  expect(rows).toHaveLength(rowCount)
  for (const row of rows) expect(row).toEqual({ ...values, a: '1970-01-02' })
})

test('null constants are null', () => {
  const columns = Object.fromEntries(ALL.columns.map(({ name }) => [name, { constant: null }]))
  const [row] = rowsOf(ALL, tableFromColumns(ALL, columns, 1))
  expect(Object.values(row!)).toEqual(ALL.columns.map(() => null))
})

test('the time zone is UTC by that very name', () => {
  const table = tableFromColumns(specOf({ x: 'timestamp' }), { x: [0] }, 1)
  expect(String(table.schema.fields[0]!.type)).toBe('Timestamp<MICROSECOND, UTC>')
})

test.each([true, false])('whether a column may be null (%s) stands in its schema', (nullable) => {
  const { schema } = tableFromColumns(specOf({ x: 'double' }, nullable), { x: [1] }, 1)
  expect(schema.fields.map((field) => field.nullable)).toEqual([nullable])
})

test('the same values give the same bytes', () => {
  const spec = specOf({ a: 'string', b: 'string' })
  const bytes = () =>
    Buffer.from(tableToIPC(tableFromColumns(spec, { a: ['x'], b: ['y'] }, 1), 'file')).toString(
      'hex',
    )
  expect(bytes()).toBe(bytes())
})

test.each<[string, ColumnType, Record<string, ColumnData>]>([
  ['no values given', 'double', {}],
  ['t.x: 2 values for 1 rows', 'double', { x: [1, 2] }],
  ['not a number: "1"', 'double', { x: ['1'] }],
  ['not a text: 1', 'string', { x: [1] }],
  ['not a boolean: 1', 'boolean', { x: [1] }],
  ['null in a column', 'double', { x: [null] }],
])('our own mistake is an error: %s', (message, type, columns) => {
  expect(() => tableFromColumns(specOf({ x: type }, false), columns, 1)).toThrow(message)
})
