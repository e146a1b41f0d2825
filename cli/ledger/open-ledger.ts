import { existsSync } from 'node:fs'
import type { Clock } from '../../config/clock.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import type { Row } from '../../datasets/dataset.ts'
import { datasets } from '../../datasets/index.ts'
import { openStore } from '../../sinks/duckdb-store/open-store.ts'
import { openSession, type SqlParams } from '../../sinks/duckdb-store/session.ts'
import { SinkError, WarehouseBusyError } from '../../sinks/sink-error.ts'
import { openPublished } from '../query/open-published.ts'
import { coinlakeVersion } from '../version.ts'
import { hasStore, storeOf } from './store-of.ts'

/** The ledger of a warehouse, open for looking. */
export interface OpenLedger {
  /** Rows of a SELECT; times are asked for as `epoch_ms(...)`. */
  rows(sql: string, params?: SqlParams): Promise<Row[]>
  /** What was opened: the store, or its publication because a run holds the store. */
  source: 'store' | 'publication' | 'none'
  /** One sentence about a source that may be behind; null when it is not. */
  note: string | null
  close(): Promise<void>
}

/**
 * Opens the ledger to read: the store, or, while another process holds it, the published DuckDB file,
 * which carries the whole ledger as it was at the last publication. A warehouse without a store has an
 * empty ledger, and nothing is made.
 *
 * @throws WarehouseBusyError STORE_LOCKED when the store is held and no DuckDB file is published
 */
export async function openLedger(paths: WarehousePaths, clock: Clock): Promise<OpenLedger> {
  if (!hasStore(paths)) {
    return { rows: async () => [], source: 'none', note: null, close: async () => undefined }
  }
  try {
    const tables = datasets.flatMap((dataset) => dataset.tables)
    const store = await openStore({
      file: storeOf(paths),
      tables,
      datasets,
      coinlakeVersion,
      clock,
    })
    return {
      rows: (sql, params) => store.query(sql, params),
      source: 'store',
      note: null,
      close: () => store.close(),
    }
  } catch (error) {
    if (!(error instanceof SinkError) || error.code !== 'STORE_LOCKED') throw error
    if (!existsSync(paths.duckdbLink)) {
      throw new WarehouseBusyError(error.message, {
        code: error.code,
        hint: 'No DuckDB file is published to look into meanwhile: wait for the run to end.',
        cause: error,
      })
    }
    return await openPublishedLedger(paths, error.message)
  }
}

async function openPublishedLedger(paths: WarehousePaths, why: string): Promise<OpenLedger> {
  const publication = await openPublished(paths, 'UTC')
  const session = openSession(publication.connection, paths.duckdbLink)
  try {
    const [row] = await session.rows(
      `SELECT strftime(published_at, '%Y-%m-%dT%H:%M:%SZ') AS published_at FROM _published`,
    )
    return {
      rows: (sql, params) => session.rows(sql, params),
      source: 'publication',
      note: `${why}: this is the publication of ${row?.['published_at']}`,
      close: async () => publication.close(),
    }
  } catch (error) {
    publication.close()
    throw error
  }
}
