import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TableSpec } from '../../../datasets/dataset.ts'
import { createTableSql } from '../../../datasets/table/ddl.ts'
import { readRows } from '../../../service/warehouse/read-rows.ts'

const TABLE: TableSpec = {
  name: 'names',
  description: 'For this test.',
  columns: [
    { name: 'id', type: 'string', unit: null, description: '', nullable: false },
    { name: 'the "name"', type: 'string', unit: null, description: '' },
  ],
  key: ['id'],
  sort: ['id'],
  load: 'snapshot',
  monthBy: null,
}
const ROWS = [
  ['bitcoin', 'Bitcoin'],
  ['wrapped', null],
  ['percent', '100%_Bit'],
  ['quote', `O'Neil; --`],
  ['umlaut', 'ÄÖÜ'],
  ['crab', '🦀 Crab'],
] as const

let instance: DuckDBInstance
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(createTableSql(TABLE, { lineage: false }))
  for (const row of ROWS) await connection.run('INSERT INTO names VALUES ($1, $2)', [...row])
  connection.closeSync()
})
afterAll(() => instance.closeSync())

test.each([
  ['BIT', ['bitcoin', 'percent']],
  ['wrap', ['wrapped']],
  ['%', ['percent']],
  ['_', ['percent']],
  [`'`, ['quote']],
  ['äöü', ['umlaut']],
  ['🦀', ['crab']],
  ['nothing', []],
  ['', ROWS.map(([id]) => id)],
])('a column holds %j', async (text, ids) => {
  const connection = await instance.connect()
  const contains = { columns: ['id', 'the "name"'], text }
  const selection = { table: TABLE.name, contains, orderBy: [] }
  const rows = await readRows(connection, TABLE, selection, false)
  connection.closeSync()
  expect(new Set(rows.map((row) => row['id']))).toEqual(new Set(ids))
})

test('a column that is not there is told', async () => {
  const connection = await instance.connect()
  const selection = { table: TABLE.name, contains: { columns: ['nope'], text: 'x' }, orderBy: [] }
  await expect(readRows(connection, TABLE, selection, false)).rejects.toThrow('has no column nope')
  connection.closeSync()
})
