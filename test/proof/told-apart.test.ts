import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { datasets } from '../../datasets/index.ts'
import { placedBody } from './asked-names.ts'
import { askedFor, EXPECTED_TABLES } from './expected/expected-tables.ts'
import { recordedBodies } from './recorded-body.ts'
import { writeVariations } from './variations.ts'
import { tempDir } from '../parts/temp-dir.ts'
import { memoryDuckdb } from '../parts/duckdb.ts'

/** Two columns that every catalogue has twice the same in: a listing is read once here. */
const SEEN = ['first_seen_at', 'last_seen_at']

/**
 * Proves that real-input.test.ts can see every mistake: no column is NULL in every body, and no two columns are equal in
 * every body.
 */
test('no column of any table could be taken for another one', async () => {
  const dir = tempDir()
  writeVariations(dir)
  const connection = await memoryDuckdb()

  const tables = new Set<string>()
  for (const [place, body] of recordedBodies(dir).entries()) {
    // There are fewer currencies than bodies.
    const asked = askedFor(placedBody(body, place % 10), Date.UTC(2024, 1, 29))
    for (const { table, sql } of EXPECTED_TABLES[body.operation](asked)) {
      const rows = sql.replaceAll('{file}', `'${body.path}'`)
      const isNew = !tables.has(table)
      await connection.run(
        isNew ? `CREATE TABLE ${table} AS ${rows}` : `INSERT INTO ${table} BY NAME ${rows}`,
      )
      tables.add(table)
    }
  }
  const known = datasets.flatMap((dataset) => dataset.tables.map(({ name }) => name))
  expect([...tables].toSorted()).toEqual(known.toSorted())

  const doubtful = []
  for (const table of tables) doubtful.push(...(await doubtfulColumns(connection, table)))
  expect(doubtful).toEqual([])
})

/** Columns without any value, and pairs of columns of one type that are equal in every row. */
async function doubtfulColumns(connection: DuckDBConnection, table: string): Promise<string[]> {
  const reader = await connection.runAndReadAll(`FROM ${table}`)
  const types = reader.columnTypes().map(String)
  const columns = Object.entries(reader.getColumnsObjectJson()).map(([name, values], place) => {
    return {
      name,
      isNull: values.every((value) => value === null),
      text: JSON.stringify([types[place], values]),
    }
  })
  return columns.flatMap(({ name, isNull, text }, place) => {
    const same = columns
      .slice(place + 1)
      .filter((other) => other.text === text && !(SEEN.includes(name) && SEEN.includes(other.name)))
    return [
      ...(isNull ? [`${table}: ${name} is always NULL`] : []),
      ...same.map((other) => `${table}: ${name} is always ${other.name}`),
    ]
  })
}
