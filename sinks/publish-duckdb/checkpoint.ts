import type { DuckDBConnection } from '@duckdb/node-api'
import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { SinkError } from '../sink-error.ts'

const ATTEMPTS = 100
const WAIT_MS = 50

/**
 * Moves all committed rows into the store's file. A query that began before the newest commit blocks the checkpoint, so
 * this waits for the query. FORCE would break it off. No other connection may write meanwhile.
 *
 * @throws SinkError PUBLISH_STORE_READ when a query reads for longer than five seconds
 */
export async function checkpoint(connection: DuckDBConnection, file: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const isDone = await connection.run('CHECKPOINT').then(() => true, refused)
    const wal = isDone ? await stat(`${file}.wal`).catch(() => null) : null
    if (isDone && (wal === null || wal.size === 0)) return
    await sleep(WAIT_MS)
  }
  throw new SinkError(`${file} has been read by one query for more than five seconds`, {
    code: 'PUBLISH_STORE_READ',
    hint: 'Run the same command again: nothing that was loaded is lost.',
  })
}

function refused(error: unknown): false {
  if (error instanceof Error && error.message.includes('Cannot CHECKPOINT')) return false
  throw error
}
