import { afterAll, expect, test } from 'vitest'
import type { TableSpec } from '../../../datasets/dataset.ts'
import { createTableSql } from '../../../datasets/table/ddl.ts'
import { column } from '../../../datasets/table/column.ts'
import { checkOrder, checkRows, lacksColumns } from '../../../sinks/verify/check-rows.ts'
import { openSession } from '../../../sinks/duckdb-store/session.ts'
import type { VerifyContext } from '../../../sinks/verify/verify-source.ts'
import { memoryDuckdb } from '../../parts/duckdb.ts'

const POINTS: TableSpec = {
  name: 'points',
  description: 'Points on a grid.',
  columns: [
    column('granularity', 'string', 'Step.'),
    column('ts', 'timestamp', 'Time.'),
    column('bucket_at', 'timestamp', 'Start of the step.'),
  ],
  key: ['ts', 'granularity'],
  sort: ['granularity', 'ts'],
  load: 'facts',
  monthBy: 'ts',
}

const connection = await memoryDuckdb(afterAll)

/** Rows of (granularity, ts, bucket_at, slice_id), beside a slice `day` of 2024-01-01. */
async function contextOf(rows: readonly (readonly string[])[]): Promise<VerifyContext> {
  const values = rows.map((row) => `(${row.map((value) => `'${value}'`).join(', ')})`)
  await connection.run(`SET TimeZone = 'UTC';
    CREATE OR REPLACE TABLE points (granularity VARCHAR, ts TIMESTAMPTZ, bucket_at TIMESTAMPTZ, slice_id VARCHAR);
    INSERT INTO points VALUES ${values.join(', ')};
    CREATE OR REPLACE TABLE _slices AS
      SELECT 'day' AS slice_id, '2024-01-01'::TIMESTAMPTZ AS from_at, '2024-01-02'::TIMESTAMPTZ AS to_at
      FROM range(2)`)
  const source: VerifyContext['source'] = {
    rows: openSession(connection, 'store.duckdb').rows,
    relation: ({ name }) => name,
    ledger: (name) => name,
  }
  return { source, place: 'store', datasets: [] }
}

const point = (granularity: string, time: string, bucket: string): string[] => [
  granularity,
  `2024-01-${time}`,
  `2024-01-${bucket}`,
  'day',
]

test.each([
  ['a point at the start of its step', [point('1h', '01 03:00', '01 03:00')], []],
  ['a point at the end of its step', [point('1h', '01 03:59:59.999', '01 03:00')], []],
  ['a day', [point('1d', '01 23:59', '01')], []],
  [
    'steps of two lengths',
    [point('5m', '01 00:06', '01 00:05'), point('1d', '01 00:06', '01')],
    [],
  ],
  ['a step too early', [point('1h', '01 03:00', '01 02:00')], [['grid', '1 rows']]],
  ['a bucket off the grid', [point('1h', '01 03:30', '01 03:30')], [['grid', '1 rows']]],
  ['the first moment of a slice', [point('1h', '01', '01')], []],
  ['the end of a slice', [point('1h', '02', '02')], [['bounds', '1 rows']]],
  [
    'a moment before a slice',
    [['1h', '2023-12-31 23:59', '2023-12-31 23:00', 'day']],
    [['bounds', '1 rows']],
  ],
  [
    'a key three times, and another twice',
    [1, 1, 1, 2, 2, 3].map((hour) => point('1h', `01 0${hour}:00`, `01 0${hour}:00`)),
    [['duplicates', '3 rows']],
  ],
])('%s', async (_, rows, faults) => {
  const found = await checkRows(await contextOf(rows), POINTS, 'points')
  expect(found.map((one) => [one.check, one.found])).toEqual(faults)
  for (const one of found)
    expect(one).toMatchObject({ place: 'store', table: 'points', expected: 'none' })
})

test('an observation may be of a moment outside its slice', async () => {
  const context = await contextOf([point('1h', '02', '02')])
  expect(await checkRows(context, { ...POINTS, load: 'snapshot' }, 'points')).toEqual([])
})

test('a publication of an older coinlake lacks a column; a table that is not there lacks none', async () => {
  const { source } = await contextOf([point('1h', '01', '01')])
  expect(await lacksColumns(source, POINTS, 'points')).toBe(true)
  await connection.run(createTableSql({ ...POINTS, name: 'whole' }))
  expect(await lacksColumns(source, POINTS, 'whole')).toBe(false)
  expect(await lacksColumns(source, POINTS, null)).toBe(false)
})

test('rows out of their order are counted', async () => {
  const context = await contextOf([point('1h', '01', '01')])
  const orderOf = async (...hours: number[]) => {
    const values = hours.map((hour) => `('1h', TIMESTAMPTZ '2024-01-01 0${hour}:00:00+00')`)
    const relation = `(VALUES ${values.join(', ')}) v(granularity, ts)`
    return await checkOrder(context, POINTS, relation, 'points/2024-01.parquet')
  }
  expect(await orderOf(1, 2, 2, 3)).toEqual([])
  expect(await orderOf(1, 3, 2, 4, 0)).toMatchObject([
    {
      check: 'order',
      what: 'points/2024-01.parquet',
      expected: 'sorted by granularity, ts',
      found: '2 rows that sort before the row above them',
    },
  ])
})
