import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { withMoreMemory } from '../../../sinks/duckdb-store/more-memory.ts'
import { tempDir } from '../../parts/temp-dir.ts'

const LIMIT = '24.0 MiB'
/** Texts of 48 kB, 96 MB in all: sorted, a part of them must be in memory that is larger than the limit. */
const ROWS = 2_000
const FILL = `CREATE TABLE texts AS
  SELECT md5(i::VARCHAR) AS id, repeat(md5((i * 7)::VARCHAR), 1500) AS text FROM range(${ROWS}) t(i)`
const SORT = 'CREATE TABLE sorted AS SELECT * FROM texts ORDER BY id'

let instance: DuckDBInstance
let connection: DuckDBConnection

beforeEach(async () => {
  instance = await DuckDBInstance.create(join(tempDir(), 'store.duckdb'), { threads: '2' })
  connection = await instance.connect()
  await connection.run(FILL)
  await connection.run(`SET GLOBAL memory_limit = '${LIMIT}'`)
})

afterEach(() => {
  connection.closeSync()
  instance.closeSync()
})

async function limit(): Promise<unknown> {
  const reader = await connection.runAndReadAll("SELECT current_setting('memory_limit')")
  return reader.getRows()[0]?.[0]
}

test('work that the limit is too small for runs once more, with half of what the container has; the limit is back afterwards', async () => {
  const container = vi.spyOn(process, 'constrainedMemory').mockReturnValue(700 << 20)
  onTestFinished(() => container.mockRestore())
  await expect(connection.run(SORT)).rejects.toThrow(/out of memory/i)
  const limits: unknown[] = []
  await withMoreMemory(connection, async () => {
    limits.push(await limit())
    await connection.run(SORT)
  })
  expect(limits).toEqual([LIMIT, '350.0 MiB'])
  const reader = await connection.runAndReadAll('SELECT count(*) FROM sorted')
  expect(Number(reader.getRows()[0]?.[0])).toBe(ROWS)
  expect(await limit()).toBe(LIMIT)
})

test('any other error is not tried again', async () => {
  let runs = 0
  const work = async (): Promise<void> => {
    runs += 1
    await connection.run('SELECT * FROM missing')
  }
  await expect(withMoreMemory(connection, work)).rejects.toThrow(/missing/)
  expect(runs).toBe(1)
})
