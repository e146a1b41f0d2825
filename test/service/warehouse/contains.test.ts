import { afterAll, expect, test } from 'vitest'
import type { TableSpec } from '../../../datasets/dataset.ts'
import { createTableSql } from '../../../datasets/table/ddl.ts'
import { readRows } from '../../../service/warehouse/read-rows.ts'
import { memoryDuckdb } from '../../parts/duckdb.ts'

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
  ['\uFEFFmark', '\uFEFF\uFEFFtwo'],
] as const

const connection = await memoryDuckdb(afterAll)
await connection.run(createTableSql(TABLE, { lineage: false }))
for (const row of ROWS) await connection.run('INSERT INTO names VALUES ($1, $2)', [...row])

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
  const contains = { columns: ['id', 'the "name"'], text }
  const selection = { table: TABLE.name, contains, orderBy: [] }
  const rows = await readRows(connection, TABLE, selection, false)
  expect(new Set(rows.map((row) => row['id']))).toEqual(new Set(ids))
})

test('a column is the whole text, in either case', async () => {
  const contains = { columns: ['id', 'the "name"'], text: 'ÄÖü', isWhole: true } as const
  const found = { table: TABLE.name, contains, orderBy: [] }
  expect(await readRows(connection, TABLE, found, false)).toMatchObject([{ id: 'umlaut' }])
  const part = { ...found, contains: { ...contains, text: 'Ä' } }
  expect(await readRows(connection, TABLE, part, false)).toEqual([])
})

test('a byte order mark at the start of a text is text', async () => {
  const selection = { table: TABLE.name, orderBy: [] }
  const rows = await readRows(connection, TABLE, selection, false)
  expect(rows.map((row) => Object.values(row))).toEqual(ROWS)
  const marked = { ...selection, equals: { id: '\uFEFFmark' } }
  expect(await readRows(connection, TABLE, marked, false)).toEqual([rows.at(-1)])
})

test('a column that is not there is told', async () => {
  const selection = { table: TABLE.name, contains: { columns: ['nope'], text: 'x' }, orderBy: [] }
  await expect(readRows(connection, TABLE, selection, false)).rejects.toThrow('has no column nope')
})
