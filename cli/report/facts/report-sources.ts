import type { Clock } from '../../../config/clock.ts'
import type { WarehousePaths } from '../../../config/warehouse-paths.ts'
import { SinkError } from '../../../sinks/sink-error.ts'
import { isShut, openLedger, type OpenLedger } from '../../ledger/open-ledger.ts'
import { hasStore, storeName } from '../../ledger/store-of.ts'
import { findPublished, type OpenPublication } from '../../query/open-published.ts'

type Rows = OpenLedger['rows']

/** The open sources of a report. A shut store without a published ledger counts as empty. */
export type ReportSources = Awaited<ReturnType<typeof openReportSources>>

const NO_ROWS: Rows = () => Promise.resolve([])

/**
 * Opens the ledger and the publication, as far as they exist. Unlike other commands a report needs no ledger. None can
 * be read while the store is shut and only Parquet files are published.
 *
 * @throws SinkError, QueryError for existing files that cannot be read
 */
export async function openReportSources(paths: WarehousePaths, clock: Clock) {
  const publication = await findPublished(paths)
  const published = publication?.rows ?? null
  const opened = await openLedger(paths, clock).catch((error: unknown) => {
    if (isShut(error)) return error
    publication?.close()
    throw error
  })
  const shut = opened instanceof SinkError ? opened : opened.shut
  const ledger =
    opened instanceof SinkError || opened.source === 'none'
      ? ledgerWithoutStore(paths, publication, shut)
      : opened
  return {
    ledger,
    /** Rows of tables: of the open store, else of the publication. */
    tables: ledger.source === 'none' ? (published ?? NO_ROWS) : ledger.rows,
    /** Rows of published tables and analyst views; null = nothing is published. */
    published,
    /** Whether another process, a run or a worker, holds the store. */
    isHeld: shut?.code === 'STORE_LOCKED',
    async close(): Promise<void> {
      await ledger.close()
      publication?.close()
    },
  }
}

/** The ledger as it was at the publication of a DuckDB file. Parquet files have no ledger. */
function ledgerWithoutStore(
  paths: WarehousePaths,
  publication: OpenPublication | null,
  shut: SinkError | null,
): OpenLedger {
  const close = () => Promise.resolve()
  if (publication?.kind === 'duckdb') {
    const note = `there is no store ${storeName(paths)}: this is the ledger of the published file`
    return { rows: publication.rows, source: 'publication', shut, note, close }
  }
  const why = shut?.message ?? (hasStore(paths) ? null : 'there is no store')
  const note =
    publication === null && shut === null
      ? null
      : `${why}: only the Parquet files and the reports of runs were read, so gaps are not known`
  return { rows: NO_ROWS, source: 'none', shut, note, close }
}
