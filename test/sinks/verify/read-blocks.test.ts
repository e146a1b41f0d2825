import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBlocks } from '../../../sinks/verify/read-blocks.ts'
import { memoryDuckdb } from '../../parts/duckdb.ts'

const LARGE_ROWS = 3_000_000
/** The large table has seven pieces of this size at most, the small one has one. */
const PIECE_ROWS = 4 * 122_880

const connection = await memoryDuckdb(afterAll)
beforeAll(async () => {
  await connection.run(`CREATE SCHEMA "odd ""name"; CREATE TABLE nothing (id BIGINT);
    CREATE TABLE "odd ""name"."a table" AS SELECT range AS id FROM range(${LARGE_ROWS});
    CREATE TABLE small AS SELECT range AS id FROM range(9); DELETE FROM small WHERE id < 8`)
})

/** The part that was read, and the number of rows of each piece. */
async function read(withinMs?: number): Promise<{ part: number; rowsRead: number[] }> {
  const rowsRead: number[] = []
  const rows = async (sql: string) => {
    const read = (await connection.runAndReadAll(sql)).getRowObjectsJson() as never[]
    const counted = sql.replace('bit_xor(hash(COLUMNS(*)))', 'count(*)')
    if (counted === sql) return read
    const [[count] = []] = (await connection.runAndReadAll(counted)).getRowsJson()
    rowsRead.push(Number(count))
    return read
  }
  return { part: await readBlocks({ rows }, withinMs), rowsRead }
}

test('all blocks are read once, in pieces', async () => {
  const { part, rowsRead } = await read()
  expect(part).toBe(1)
  const last = LARGE_ROWS % PIECE_ROWS
  const sizes = [1, last, ...Array.from({ length: 6 }, () => PIECE_ROWS)]
  expect(rowsRead.toSorted((a, b) => a - b)).toEqual(sizes)
})

test('without time two large pieces are read, others each time', async () => {
  const orders = new Set<string>()
  for (let time = 0; time < 20; time += 1) {
    const { part, rowsRead } = await read(0)
    expect(part).toBe(rowsRead.length / 8)
    expect(rowsRead.slice(0, -1).reduce((sum, n) => sum + n, 0)).toBeLessThan(2 * PIECE_ROWS)
    expect(rowsRead.reduce((sum, n) => sum + n, 0)).toBeGreaterThanOrEqual(2 * PIECE_ROWS)
    orders.add(rowsRead.join())
  }
  expect(orders.size).toBeGreaterThan(1)
})

test('of no rows the whole is read', async () => {
  expect(await readBlocks({ rows: async () => [] }, 0)).toBe(1)
})
