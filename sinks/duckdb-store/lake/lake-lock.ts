import { setTimeout as sleep } from 'node:timers/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { SinkError } from '../../sink-error.ts'

/** A lock that only one connection to a catalog can hold, freed by the catalog when its holder dies. */
export interface LakeLock {
  /** Waits for it. @throws SinkError STORE_BUSY; whatever the catalog throws */
  take(): Promise<void>
  /** @throws when it was lost: the connection to the catalog broke. */
  confirm(): Promise<void>
  /** Never throws: a lock that is lost is free. */
  free(): Promise<void>
}

/** Names our lock among those that others take in the same database: `coinlake` in ASCII. */
const ADVISORY_KEY = 0x636f696e6c616b65n
/** The largest load takes seconds: a longer holder of the lock hangs. */
const PATIENCE_MS = 15 * 60_000
const LOOK_EVERY_MS = 25

/** The SQL that takes the lock of a kind of catalog. */
interface LockSql {
  /** Once, before the first. */
  prepare: readonly string[]
  /** In a transaction: the first column is true, or the statement fails by `busy`, when it is taken. */
  take: string
  busy: RegExp | null
  confirm: string
}

/**
 * A lock in the catalog of an attached lake: DuckLake has no keys, and of two writers at once both may
 * insert the same row. PostgreSQL has advisory locks; for SQLite a second file is written to.
 *
 * @param connection of its own: its transaction holds the lock
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
  const isTaken = async (): Promise<boolean> => {
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
      while (!(await isTaken())) {
        if (performance.now() > deadlineMs) throw busy(catalog)
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
      `ATTACH IF NOT EXISTS '${file.replaceAll("'", "''")}.lock' AS lake_lock (TYPE sqlite)`,
      'CREATE TABLE IF NOT EXISTS lake_lock.turns (taken BIGINT)',
    ],
    take: 'INSERT INTO lake_lock.turns VALUES (1)',
    busy: /database is locked/,
    confirm: 'SELECT 1',
  }
}

function busy(catalog: string): SinkError {
  return new SinkError(
    `another writer has held the lake ${catalog} for ${PATIENCE_MS / 60_000} min`,
    {
      code: 'STORE_BUSY',
      hint: 'Look for a coinlake process that hangs and end it; what it did not commit is undone.',
    },
  )
}
