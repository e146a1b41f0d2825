import { setTimeout as sleep } from 'node:timers/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { quoteText } from '../../../datasets/table/ddl.ts'
import { SinkError } from '../../sink-error.ts'

/** A lock that one connection to a catalog can hold. The catalog frees the lock when its holder dies. */
export interface LakeLock {
  /** Waits for the lock. @throws SinkError STORE_BUSY; the errors of the catalog */
  take(): Promise<void>
  /** @throws when the lock is lost, because the connection to the catalog broke */
  confirm(): Promise<void>
  /** Never throws: a lost lock is free. */
  free(): Promise<void>
}

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
 * Makes the lock of an attached lake. DuckLake has no keys, so two writers at once could insert the same row.
 * PostgreSQL has advisory locks. For SQLite the lock is an open write to a second file.
 *
 * @param connection used for nothing else: its transaction holds the lock
 * @param metadata name of the attached catalog
 */
export async function lakeLock(
  connection: DuckDBConnection,
  { catalog, metadata }: { catalog: string; metadata: string },
): Promise<LakeLock> {
  const sql = catalog.startsWith('sqlite:')
    ? sqliteLock(catalog.slice('sqlite:'.length))
    : postgresLock(metadata)
  for (const statement of sql.prepare) await connection.run(statement)
  const rollback = async (): Promise<void> => {
    await connection.run('ROLLBACK').catch(() => undefined)
  }
  const tryTake = async (): Promise<boolean> => {
    await connection.run('BEGIN TRANSACTION')
    try {
      const reader = await connection.runAndReadAll(sql.take)
      if (sql.busy !== null || reader.getRows()[0]?.[0] === true) return true
    } catch (error) {
      await rollback()
      if (sql.busy?.test(String(error)) === true) return false
      throw error
    }
    await rollback()
    return false
  }
  return {
    async take() {
      const deadlineMs = performance.now() + PATIENCE_MS
      while (!(await tryTake())) {
        if (performance.now() > deadlineMs) throw busyError(catalog)
        await sleep(LOOK_EVERY_MS)
      }
    },
    async confirm() {
      await connection.run(sql.confirm)
    },
    free: rollback,
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

function busyError(catalog: string): SinkError {
  return new SinkError(
    `another writer has held the lake ${catalog} for ${PATIENCE_MS / 60_000} min`,
    {
      code: 'STORE_BUSY',
      hint: 'End the coinlake process that hangs. The catalog undoes its uncommitted changes.',
    },
  )
}
