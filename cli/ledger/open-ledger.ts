import { existsSync, statSync } from 'node:fs'
import type { Clock } from '../../config/clock.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import type { Row } from '../../datasets/dataset.ts'
import type { SqlParams } from '../../sinks/duckdb-store/session.ts'
import { SinkError, WarehouseBusyError } from '../../sinks/sink-error.ts'
import { openPublished } from '../query/open-published.ts'
import { goneStore } from './lost-store.ts'
import { hasStore, openStoreAt, storeOf } from './store-of.ts'

/** The ledger of a warehouse, open for looking. */
export interface OpenLedger {
  /** Rows of a SELECT; times are asked for as `epoch_ms(...)`. */
  rows(sql: string, params?: SqlParams): Promise<Row[]>
  /** The opened place: the store, or its publication because the store is shut. */
  source: 'store' | 'publication' | 'none'
  /** Why the store is shut; null when it was opened, or is not there. */
  shut: SinkError | null
  /** One sentence about a source that may be behind; null when it is not. */
  note: string | null
  close(): Promise<void>
}

/** A store that cannot be opened, and is sound all the same: a run holds it, or its disk is mounted read-only. */
const SHUT = ['STORE_LOCKED', 'STORE_NOT_WRITABLE']

export function isShut(error: unknown): error is SinkError {
  return error instanceof SinkError && SHUT.includes(error.code)
}

/**
 * Opens the ledger to read: the store, or, while that is shut, the published DuckDB file,
 * which carries the whole ledger as it was at the last publication. A warehouse without a store has an
 * empty ledger, and nothing is made.
 *
 * @throws WarehouseBusyError STORE_LOCKED, SinkError STORE_NOT_WRITABLE when no DuckDB file is published
 */
export async function openLedger(paths: WarehousePaths, clock: Clock): Promise<OpenLedger> {
  // The published file itself may be named, as `query` takes it.
  if (statSync(paths.root, { throwIfNoEntry: false })?.isFile() === true)
    return await openPublishedLedger(paths, null)
  if (!hasStore(paths)) {
    const close = async () => undefined
    const note = goneStore(paths)?.message ?? null
    return { rows: async () => [], source: 'none', shut: null, note, close }
  }
  try {
    const store = await openStoreAt(storeOf(paths), clock)
    return {
      rows: (sql, params) => store.query(sql, params),
      source: 'store',
      shut: null,
      note: null,
      close: () => store.close(),
    }
  } catch (error) {
    if (!isShut(error)) throw error
    if (existsSync(paths.duckdbLink)) return await openPublishedLedger(paths, error)
    if (error.code !== 'STORE_LOCKED') throw error
    throw new WarehouseBusyError(error.message, {
      code: error.code,
      hint: 'No DuckDB file is published to look into meanwhile: wait for the run to end.',
      cause: error,
    })
  }
}

async function openPublishedLedger(
  paths: WarehousePaths,
  shut: SinkError | null,
): Promise<OpenLedger> {
  const publication = await openPublished(paths, 'UTC')
  try {
    const [row] = await publication.rows(
      `SELECT strftime(published_at, '%Y-%m-%dT%H:%M:%SZ') AS published_at FROM _published`,
    )
    return {
      rows: publication.rows,
      source: 'publication',
      shut,
      note: shut && `looking at the publication of ${row?.['published_at']}: ${shut.message}`,
      close: async () => publication.close(),
    }
  } catch (error) {
    publication.close()
    throw error
  }
}
