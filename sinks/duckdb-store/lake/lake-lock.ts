import { setTimeout as sleep } from 'node:timers/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { quoteText } from '../../../datasets/table/ddl.ts'
import { SinkError } from '../../sink-error.ts'
import { asSinkError } from '../as-sink-error.ts'
import type { StoreAccess } from '../opening/store-access.ts'

/** coinlake's number among the advisory locks of the database: `coinlake` in ASCII. */
const ADVISORY_KEY = 0x636f696e6c616b65n
/** The largest load takes seconds, so a process that has the lock for 15 minutes hangs. */
const PATIENCE_MS = 15 * 60_000
const LOOK_EVERY_MS = 25

/** The SQL of the lock for one kind of catalog. */
interface LockSql {
  /** Run once, before the first `take`. */
  prepare: readonly string[]
  /** Tries to take the lock. `busy` null: the first column says whether this process has the lock now. */
  take: string
  /** An error of `take` that matches: another writer has the lock. */
  busy: RegExp | null
  confirm: string
}

/**
 * Makes a function that runs the work of one writer of a lake while no other writes. DuckLake has no keys, so two
 * writers at once could insert the same row. PostgreSQL has advisory locks. For SQLite the lock is an open write to a
 * second file. The catalog frees the lock when its holder dies.
 *
 * @param connection used for nothing else: its transaction holds the lock
 * @param metadata name of the attached catalog
 * @returns `alone` of StoreAccess, which also throws SinkError STORE_BUSY and the errors of the catalog
 */
export async function lakeLock(
  connection: DuckDBConnection,
  { catalog, metadata }: { catalog: string; metadata: string },
): Promise<StoreAccess['alone']> {
  const sql = catalog.startsWith('sqlite:')
    ? sqliteLock(catalog.slice('sqlite:'.length))
    : postgresLock(metadata)
  for (const statement of sql.prepare) await connection.run(statement)
  // Never throws: a lost lock is free.
  const free = async (): Promise<void> => {
    await connection.run('ROLLBACK').catch(() => undefined)
  }
  const tryTake = async (): Promise<boolean> => {
    await connection.run('BEGIN TRANSACTION')
    try {
      const reader = await connection.runAndReadAll(sql.take)
      if (sql.busy !== null || reader.getRows()[0]?.[0] === true) return true
    } catch (error) {
      await free()
      if (sql.busy?.test(String(error)) === true) return false
      throw error
    }
    await free()
    return false
  }
  const take = async (): Promise<void> => {
    const deadlineMs = performance.now() + PATIENCE_MS
    while (!(await tryTake())) {
      if (performance.now() > deadlineMs) {
        const minutes = PATIENCE_MS / 60_000
        throw new SinkError(`another writer has held the lake ${catalog} for ${minutes} min`, {
          code: 'STORE_BUSY',
          hint: 'End the coinlake process that hangs. The catalog undoes its uncommitted changes.',
        })
      }
      await sleep(LOOK_EVERY_MS)
    }
  }
  return async (work) => {
    await take().catch((error: unknown) => {
      throw asSinkError(error, 'take the lock of', catalog)
    })
    try {
      return await work(async () => void (await connection.run(sql.confirm)))
    } finally {
      await free()
    }
  }
}

function postgresLock(metadata: string): LockSql {
  const ask = (question: string): string =>
    `SELECT * FROM postgres_query('${metadata}', '${question}')`
  return {
    prepare: [],
    take: ask(`SELECT pg_try_advisory_xact_lock(${ADVISORY_KEY})`),
    busy: null,
    confirm: ask('SELECT 1'),
  }
}

function sqliteLock(file: string): LockSql {
  return {
    prepare: [
      `ATTACH IF NOT EXISTS ${quoteText(`${file}.lock`)} AS lake_lock (TYPE sqlite)`,
      'CREATE TABLE IF NOT EXISTS lake_lock.turns (taken BIGINT)',
    ],
    take: 'INSERT INTO lake_lock.turns VALUES (1)',
    busy: /database is locked/,
    confirm: 'SELECT 1',
  }
}
