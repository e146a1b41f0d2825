import * as arrow from 'apache-arrow'
import { afterAll, expect, test } from 'vitest'
import type { Column } from '../../datasets/dataset.ts'
import { openArrowAppender } from '../../sinks/arrow-into-duckdb.ts'
import { appendArrow } from '../parts/append-arrow.ts'
import { memoryDuckdb } from '../parts/duckdb.ts'

const COLUMNS: Column[] = (
  ['string', 'json', 'double', 'integer', 'boolean', 'timestamp', 'date'] as const
).map((type) => ({ name: `a_${type}`, type, unit: null, description: type }))

interface Values {
  string: (string | null)[]
  json: (string | null)[]
  double: (number | null)[]
  integer: (bigint | null)[]
  boolean: (boolean | null)[]
  timestamp: (bigint | null)[]
  date: (number | null)[]
}

const DICTIONARY = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32())
const ARROW_TYPES = {
  string: DICTIONARY,
  json: new arrow.Utf8(),
  double: new arrow.Float64(),
  integer: new arrow.Int64(),
  boolean: new arrow.Bool(),
  timestamp: new arrow.Timestamp(arrow.TimeUnit.MICROSECOND, 'UTC'),
  date: new arrow.DateDay(),
}

const STRINGS = [
  '',
  'a',
  'twelve-bytes',
  'thirteen-byte',
  'bitcoin',
  'ç',
  '比特币-比特币-比特币',
  '🪙',
  'x'.repeat(5_000),
  'null',
]
const DOUBLES = [0, -0, 5e-324, 1.7976931348623157e308, 2 ** 53 + 2, 1e-11, -1e-11, 0.1 + 0.2]

const connection = await memoryDuckdb(afterAll)

/** Deterministic, with every edge value; a null in each `nullEvery`th row (0 = none), shifted by column. */
function valuesOf(rowCount: number, nullEvery: number): Values {
  const column = <T>(shift: number, valueAt: (row: number) => T): (T | null)[] =>
    Array.from({ length: rowCount }, (_, row) =>
      nullEvery > 0 && (row + shift) % nullEvery === 0 ? null : valueAt(row),
    )
  return {
    string: column(0, (row) => STRINGS[row % STRINGS.length] ?? ''),
    json: column(1, (row) => `{"row":${row},"text":"${STRINGS[(row * 7) % 8]}"}`),
    double: column(2, (row) => DOUBLES[row % DOUBLES.length] ?? 0),
    integer: column(3, (row) => BigInt(row) * 1_503_599_627_370_497n * (row % 2 ? 1n : -1n)),
    boolean: column(4, (row) => row % 3 === 0),
    timestamp: column(5, (row) => BigInt(row - 50) * 1_234_567_891n),
    date: column(6, (row) => row * 3 - 1_000),
  }
}

function arrowOf(values: Values): arrow.Table {
  const vectors = COLUMNS.map(({ type, name }) => {
    const cells =
      type === 'date'
        ? values.date.map((day) => (day === null ? null : new Date(day * 86_400_000)))
        : values[type]
    // The builders scale microseconds from milliseconds, which is why they are not used for them.
    if (type === 'timestamp') return [name, timestamps(values.timestamp)]
    return [name, arrow.vectorFromArray(cells as unknown[], ARROW_TYPES[type])]
  })
  return new arrow.Table(Object.fromEntries(vectors) as Record<string, arrow.Vector>)
}

function timestamps(values: (bigint | null)[]): arrow.Vector {
  const nullBitmap = new Uint8Array((values.length + 7) >> 3)
  for (const [row, value] of values.entries()) {
    if (value !== null) nullBitmap[row >> 3] = (nullBitmap[row >> 3] ?? 0) | (1 << (row & 7))
  }
  const data = BigInt64Array.from(values, (value) => value ?? 0n)
  return new arrow.Vector([
    arrow.makeData({ type: ARROW_TYPES.timestamp, length: values.length, data, nullBitmap }),
  ])
}

async function createTable(name: string): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TABLE ${name} (a_string VARCHAR, a_json VARCHAR, a_double DOUBLE,
     a_integer BIGINT, a_boolean BOOLEAN, a_timestamp TIMESTAMPTZ, a_date DATE)`,
  )
}

/** The rows of the table, by an independent way: values read one by one, in insertion order. */
async function readBack(name: string): Promise<Values> {
  const reader = await connection.runAndReadAll(
    `SELECT a_string, a_json, a_double, a_integer, a_boolean, epoch_us(a_timestamp),
     (a_date - DATE '1970-01-01')::INTEGER FROM ${name} ORDER BY rowid`,
  )
  const columns = reader.getColumns() as unknown as Values[keyof Values][]
  const [string, json, double, integer, boolean, timestamp, date] = columns
  return { string, json, double, integer, boolean, timestamp, date } as unknown as Values
}

function concat(parts: Values[]): Values {
  const all = valuesOf(0, 0)
  for (const part of parts) {
    for (const key of Object.keys(all) as (keyof Values)[]) {
      ;(all[key] as unknown[]).push(...part[key])
    }
  }
  return all
}

function expectSame(actual: Values, expected: Values): void {
  for (const key of Object.keys(expected) as (keyof Values)[]) {
    // toEqual tells -0 from 0.
    expect(actual[key] ?? [], key).toEqual(expected[key])
  }
}

const CASES: [string, { rows: number; nullEvery: number }[]][] = [
  ['one row', [{ rows: 1, nullEvery: 0 }]],
  ['one row of nulls', [{ rows: 1, nullEvery: 1 }]],
  ['one chunk to the brim', [{ rows: 2_048, nullEvery: 5 }]],
  ['one row more than a chunk', [{ rows: 2_049, nullEvery: 2 }]],
  ['many chunks', [{ rows: 6_001, nullEvery: 3 }]],
  [
    'no nulls after nulls',
    [
      { rows: 3_000, nullEvery: 2 },
      { rows: 3_000, nullEvery: 0 },
      { rows: 100, nullEvery: 7 },
    ],
  ],
]

test.each(CASES)('appends every type bit for bit: %s', async (_name, parts) => {
  await createTable('t')
  const values = parts.map((part) => valuesOf(part.rows, part.nullEvery))
  const batches = values.map((part) => arrowOf(part))
  const first = batches[0]
  if (first === undefined) throw new Error('no batch')
  const table = first.concat(...batches.slice(1))
  expect(await appendArrow(connection, 't', table, COLUMNS)).toBe(table.numRows)
  expectSame(await readBack('t'), concat(values))
})

test('keeps more distinct strings than a chunk apart, by hash', async () => {
  await connection.run('CREATE OR REPLACE TABLE names (name VARCHAR)')
  const names = Array.from({ length: 10_000 }, (_, i) => `coin-number-${i * 7919}`)
  const column: Column = { name: 'name', type: 'string', unit: null, description: 'A name.' }
  const table = new arrow.Table({ name: arrow.vectorFromArray(names, DICTIONARY) })
  await appendArrow(connection, 'names', table, [column])
  const reader = await connection.runAndReadAll(
    `SELECT (SELECT bit_xor(hash(name, rowid)) FROM names) = bit_xor(hash('coin-number-' || (i * 7919), i)),
     (SELECT count(DISTINCT name) FROM names) FROM range(10000) r(i)`,
  )
  expect(reader.getRows()).toEqual([[true, 10_000n]])
})

test('appends nothing from an empty table', async () => {
  await createTable('t')
  expect(await appendArrow(connection, 't', arrowOf(valuesOf(0, 0)), COLUMNS)).toBe(0)
  expect(await appendArrow(connection, 't', new arrow.Table(), COLUMNS)).toBe(0)
  expect((await readBack('t')).string ?? []).toEqual([])
})

test('fills the column of the page with its number', async () => {
  await connection.run('CREATE OR REPLACE TABLE tail (a_double DOUBLE, page BIGINT)')
  const columns = COLUMNS.filter((column) => column.type === 'double')
  const table = arrowOf(valuesOf(2_500, 0)).select(['a_double'])
  const appender = await openArrowAppender(connection, 'tail', columns)
  appender.append(table, 7n)
  appender.append(table, -8n)
  appender.close()
  const reader = await connection.runAndReadAll('SELECT page, count(*) FROM tail GROUP BY 1')
  expect(new Set(reader.getRows().map(String))).toEqual(new Set(['7,2500', '-8,2500']))
})

const MISFITS: [string, () => Promise<unknown>][] = [
  ['another order of columns', () => append([...COLUMNS].reverse())],
  ['a column missing', () => append(COLUMNS.slice(1))],
  ['fields of another name', () => appendRenamed()],
  [
    'a slice of a table',
    () => appendArrow(connection, 't', arrowOf(valuesOf(9, 3)).slice(1), COLUMNS),
  ],
]

async function append(columns: Column[]): Promise<number> {
  return await appendArrow(connection, 't', arrowOf(valuesOf(3, 0)), columns)
}
async function appendRenamed(): Promise<number> {
  const renamed = COLUMNS.map((column) => ({ ...column, name: `${column.name}_` }))
  return await append(renamed)
}
test.each(MISFITS)('refuses %s, and appends nothing', async (_name, attempt) => {
  await createTable('t')
  await expect(attempt()).rejects.toMatchObject({ code: 'ARROW_MISMATCH', exitCode: 5 })
  expect((await readBack('t')).string ?? []).toEqual([])
})

const UNFIT: [Column['type'], arrow.DataType][] = [
  ['string', new arrow.LargeUtf8()],
  ['json', new arrow.Dictionary(new arrow.Int32(), new arrow.Int32())],
  ['double', new arrow.Float32()],
  ['integer', new arrow.Int32()],
  ['boolean', new arrow.Int8()],
  ['timestamp', new arrow.TimestampMillisecond('UTC')],
  ['date', new arrow.DateMillisecond()],
]

test.each(UNFIT)('refuses rows for a column of %s that are %s', async (type, given) => {
  await createTable('t')
  const column = COLUMNS.find((one) => one.type === type)!
  const definition = { ...column, name: 'cell' }
  await connection.run(
    `CREATE OR REPLACE TABLE cells AS SELECT ${column.name} AS cell FROM t LIMIT 0`,
  )
  const rows = new arrow.Table({ cell: new arrow.Vector([arrow.makeData({ type: given })]) })
  const attempt = appendArrow(connection, 'cells', rows, [definition])
  await expect(attempt).rejects.toMatchObject({
    code: 'ARROW_MISMATCH',
    message: expect.stringContaining(`.cell is ${type}, its rows are `) as string,
  })
})
