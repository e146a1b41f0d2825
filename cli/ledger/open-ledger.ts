import { existsSync } from 'node:fs'
import type { Clock } from '../../config/clock.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import type { Session } from '../../sinks/duckdb-store/session.ts'
import { isFileThere } from '../../sinks/is-there.ts'
import { SinkError, WarehouseBusyError } from '../../sinks/sink-error.ts'
import { say, type Effects } from '../effects.ts'
import { openPublished } from '../query/open-published.ts'
import { goneStoreError } from './lost-store.ts'
import { hasStore, openStoreAt, storePlaceOf } from './store-of.ts'
import { withOpen } from '../run/closing-after.ts'

export interface OpenLedger {
  /** Rows of a SELECT, which reads times with `epoch_ms(...)` or `isoSql`. */
  rows: Session['rows']
  /** The opened place. `publication`: the store is shut, or a published file was named. */
  source: 'store' | 'publication' | 'none'
  /** The reason why the store is shut; null = it is open, or there is none. */
  shut: SinkError | null
  /** One sentence about a source that may be behind; null = it is not. */
  note: string | null
  close(): Promise<void>
}

export type LedgerRows = Pick<OpenLedger, 'rows'>

/** SQL for the ISO text of a time: UTC, with milliseconds. */
export function isoSql(time: string): string {
  return `strftime(${time} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ')`
}

/** Codes of a sound store that cannot be opened: a run holds it, or its disk is read-only. */
const SHUT = ['STORE_LOCKED', 'STORE_NOT_WRITABLE']

export function isShut(error: unknown): error is SinkError {
  return error instanceof SinkError && SHUT.includes(error.code)
}

/**
 * Opens the ledger to read. While the store is shut, the ledger comes from the published DuckDB file. A warehouse
 * without a store has an empty ledger, and nothing is made.
 *
 * @throws WarehouseBusyError STORE_LOCKED, SinkError STORE_NOT_WRITABLE without a published DuckDB file
 * @throws SinkError WAREHOUSE_UNREADABLE
 */
export async function openLedger(paths: WarehousePaths, clock: Clock): Promise<OpenLedger> {
  // A path may also name the published file itself.
  if (isFileThere(paths.root)) return await openPublishedLedger(paths, null)
  if (!hasStore(paths)) {
    const close = async () => undefined
    const note = goneStoreError(paths)?.message ?? null
    return { rows: async () => [], source: 'none', shut: null, note, close }
  }
  try {
    const store = await openStoreAt(storePlaceOf(paths), clock)
    return {
      rows: store.query,
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
      hint: 'No DuckDB file is published to look into yet: a run publishes at its end, and meanwhile as `publish.every` says (15m).',
      cause: error,
    })
  }
}

/** Runs work on the ledger. Says on stderr when the ledger may be behind, or is missing, as a path may be mistyped. */
export async function withLedger<T>(
  effects: Effects,
  paths: WarehousePaths,
  work: (ledger: OpenLedger) => Promise<T>,
): Promise<T> {
  return await withOpen(openLedger(paths, effects.clock), (ledger) => {
    if (ledger.note !== null) say(effects, ledger.note)
    else if (ledger.source === 'none') say(effects, `there is no warehouse at ${paths.root} yet`)
    return work(ledger)
  })
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
