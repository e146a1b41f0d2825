import type { Clock } from '../../../config/clock.ts'
import type { WarehousePaths } from '../../../config/warehouse-paths.ts'
import type { SinkError } from '../../../sinks/sink-error.ts'
import { isShut, openLedger } from '../../ledger/open-ledger.ts'
import type { OpenLedger } from '../../ledger/open-ledger.ts'
import { hasStore, storeName } from '../../ledger/store-of.ts'
import { findPublished } from '../../query/open-published.ts'
import type { OpenPublication } from '../../query/open-published.ts'

type Rows = OpenLedger['rows']

/** The open sources of a report. A source that cannot be opened reads as empty. */
export interface ReportSources {
  ledger: OpenLedger
  /** Rows of tables: of the store where it can be opened, else of what is published. */
  tables: Rows
  /** Rows of tables and analyst views as readers see them; null = nothing is published. */
  published: Rows | null
  /** Another process holds the store: a run or a worker. */
  isHeld: boolean
  close(): Promise<void>
}

const NO_ROWS: Rows = () => Promise.resolve([])

/**
 * Opens the ledger and the publication, as far as they are there. Unlike other commands a report is
 * made without a ledger, too: while a run holds the store, or its disk is read-only, and only Parquet files are published.
 *
 * @throws SinkError, QueryError for files that are there and cannot be read
 */
export async function openReportSources(
  paths: WarehousePaths,
  clock: Clock,
): Promise<ReportSources> {
  const publication = await findPublished(paths)
  const published = publication?.rows ?? null
  let ledger: OpenLedger | null = null
  let shut: SinkError | null = null
  try {
    ledger = await openLedger(paths, clock)
  } catch (error) {
    if (!isShut(error)) {
      publication?.close()
      throw error
    }
    shut = error
  }
  const isHeld = (ledger?.shut ?? shut)?.code === 'STORE_LOCKED'
  if (ledger === null || ledger.source === 'none') {
    ledger = withoutStore(paths, published, publication?.kind ?? null, shut)
  }
  const open = ledger
  return {
    ledger: open,
    tables: open.source === 'none' ? (published ?? NO_ROWS) : (sql) => open.rows(sql),
    published,
    isHeld,
    async close() {
      await open.close()
      publication?.close()
    },
  }
}

/** A published file carries the ledger of its moment; Parquet files carry none. */
function withoutStore(
  paths: WarehousePaths,
  published: Rows | null,
  kind: OpenPublication['kind'] | null,
  shut: SinkError | null,
): OpenLedger {
  const close = () => Promise.resolve()
  if (published !== null && kind === 'duckdb') {
    const note = `there is no store ${storeName(paths)}: this is the ledger of the published file`
    return { rows: published, source: 'publication', shut, note, close }
  }
  const why = shut?.message ?? (hasStore(paths) ? null : 'there is no store')
  const note =
    published === null && shut === null
      ? null
      : `${why}: only the Parquet files and the reports of runs were read, so nothing is said of gaps`
  return { rows: NO_ROWS, source: 'none', shut, note, close }
}
