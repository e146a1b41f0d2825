import { expect, test } from 'vitest'
import { inTransaction } from '../../sinks/in-transaction.ts'
import { memoryDuckdb } from '../parts/duckdb.ts'

test('a transaction that failed tells why, also where nothing is left to roll back', async () => {
  const connection = await memoryDuckdb()
  const failed = inTransaction(connection, async () => {
    // A COMMIT that fails for a full disk ends the transaction itself.
    await connection.run('COMMIT')
    throw new Error('No space left on device')
  })
  await expect(failed).rejects.toThrow('No space left on device')
  expect(await inTransaction(connection, async () => 1)).toBe(1)
})
