import { join } from 'node:path'
import { expect, test } from 'vitest'
import { comparePeerValues, countPeerRows } from '../../../bench/compare/peer-values.ts'
import type { PeerTable } from '../../../bench/compare/peer.ts'
import type { WorkloadColumn, WorkloadRow } from '../../../bench/compare/workload.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { askDuckdb } from '../../parts/duckdb.ts'

const COLUMNS: readonly WorkloadColumn[] = [
  { name: 'id', kind: 'text' },
  { name: 'ts', kind: 'time' },
  { name: 'price', kind: 'double' },
  { name: 'note', kind: 'text' },
]
const WORKLOAD = { columns: COLUMNS, keyLength: 2 }
const EXPECTED: readonly WorkloadRow[] = [
  ['a', 1000, 0.1, 'x'],
  ['b', 2000, 12_345.678_901_234_567, null],
  ['c', 3000, null, 'z'],
]

/** A DuckDB file that a statement has filled. */
async function peerTable(sql: string, query = 'FROM made'): Promise<PeerTable & { dir: string }> {
  const dir = tempDir()
  const file = join(dir, 'peer.duckdb')
  await askDuckdb(file, sql)
  return { dir, file, query, python: null }
}

const compare = (table: PeerTable & { dir: string }) =>
  comparePeerValues(WORKLOAD, EXPECTED, table, table.dir)

const made = (rows: string): string =>
  `CREATE TABLE made AS SELECT * FROM (VALUES ${rows}) t(id, ts, price, note)`

test('the same values in the types of another are no difference', async () => {
  const table = await peerTable(
    made(`('a', '1970-01-01T00:00:01Z', 0.1::DOUBLE, 'x'),
      ('b', '1970-01-01T00:00:02.000Z', 12345.678901234567::DOUBLE, NULL),
      ('c', '1970-01-01T00:00:03Z', NULL, 'z')`),
  )
  const same = { rows: 3, missing: 0, unexpected: 0, twice: 0, wrong: 0 }
  expect(await compare(table)).toEqual(same)
  const others =
    'SELECT * REPLACE (ts::TIMESTAMPTZ AS ts, price::DECIMAL(38,15) AS price) FROM made'
  expect(await compare({ ...table, query: others })).toEqual(same)
  const milliseconds = 'SELECT * REPLACE (epoch_ms(ts::TIMESTAMPTZ) AS ts) FROM made'
  expect(await compare({ ...table, query: milliseconds })).toEqual(same)
})

test('a difference of one bit, of a sign, and of a null is found', async () => {
  const table = await peerTable(
    made(`('a', 1000, 0.1::DOUBLE + 1.4e-17::DOUBLE, 'x'),
      ('b', 2000, 12345.6789::DOUBLE, 'y'), ('c', 3000, NULL, 'z')`),
  )
  expect(await compare(table)).toMatchObject({ wrong: 2 })
  const zero = await peerTable(made(`('a', 1000, '-0'::DOUBLE, 'x')`))
  const signs = await comparePeerValues(WORKLOAD, [['a', 1000, 0, 'x']], zero, zero.dir)
  expect(signs).toMatchObject({ wrong: 1 })
})

test('rows that are missing, unexpected, or there twice are counted', async () => {
  const table = await peerTable(
    made(`('a', 1000, 0.1::DOUBLE, 'x'), ('a', 1000, 0.1::DOUBLE, 'x'),
      ('d', 4000, 1::DOUBLE, 'x')`),
  )
  const counts = { rows: 3, missing: 2, unexpected: 1, twice: 1, wrong: 0 }
  expect(await compare(table)).toMatchObject(counts)
  expect(await compare({ ...table, asked: "id <> 'c'" })).toMatchObject({ ...counts, missing: 1 })
  expect(await countPeerRows(table, table.dir)).toBe(3)
})

test('a column that a peer has not made holds nothing', async () => {
  const table = await peerTable(made(`('a', 1000, 0.1::DOUBLE, 'x')`), 'SELECT id, ts FROM made')
  expect(await compare(table)).toMatchObject({ wrong: 1 })
})
