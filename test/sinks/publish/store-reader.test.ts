import { expect, test } from 'vitest'
import { storeReader } from '../../../sinks/publish/store-reader.ts'
import { memoryDuckdb } from '../../parts/duckdb.ts'

test('a snapshot that failed tells why, also where nothing is left to roll back', async () => {
  const connection = await memoryDuckdb()
  const store = await storeReader(connection)
  const failed = store.snapshot(async () => {
    // What a COMMIT does that fails for a full disk: it ends the transaction itself.
    await connection.run('COMMIT')
    throw new Error('No space left on device')
  })
  await expect(failed).rejects.toThrow('No space left on device')
  expect(await store.snapshot(() => store.rows('SELECT 1 AS one'))).toEqual([{ one: 1 }])
})
