import type { DuckDBConnection } from '@duckdb/node-api'
import type { Clock } from '../../config/clock.ts'
import type { Dataset, Row, TableSpec } from '../../datasets/dataset.ts'
import { absences } from './ledger/read-absences.ts'
import { type Bound, bindContext } from './bind-context.ts'
import { compactLake } from './lake/compact-lake.ts'
import type { CompactReport } from './lake/compact-lake.ts'
import { plannedBy } from './ledger/covered-intervals.ts'
import { openFilePlace } from './opening/file-place.ts'
import { openLakePlace } from './lake/lake-place.ts'
import type { LakeSettings } from './lake/lake-settings.ts'
import { ledgerView } from './ledger/ledger-view.ts'
import type { LedgerView } from './ledger/ledger-view.ts'
import { load } from './load/load.ts'
import { markDamaged } from './repair/mark-damaged.ts'
import { migrate } from './migration/migrate.ts'
import { addFailed, failSlices, nextSlices, writePlan } from './ledger/plan-ledger.ts'
import { failures, finishRun, recordRequests, totals, unfinishedRuns } from './ledger/finish-run.ts'
import { dropQuarantine, replayQuarantine } from './repair/replay-quarantine.ts'
import { openSession, openWriteSession } from './session.ts'
import type { SqlParams } from './session.ts'
import type { StoreContext } from './store-context.ts'
import type { StorePlace } from './opening/store-place.ts'
import { freezeUniverse } from './ledger/freeze-universe.ts'
import { noteUnreachable } from './ledger/write-unreachable.ts'

export interface StoreOptions {
  /** The store's file, made if missing, in a folder that is made if missing; or a DuckLake. */
  file: string | LakeSettings
  /** All tables the datasets fill; the ledger's own come by themselves. */
  tables: readonly TableSpec[]
  datasets: readonly Dataset[]
  coinlakeVersion: string
  clock: Clock
}

/** The operations that work on tables and ledger alike in a DuckDB file and in a DuckLake. */
const OPERATIONS = {
  plannedBy,
  unfinishedRuns,
  freezeUniverse,
  writePlan,
  nextSlices,
  load,
  failSlices,
  addFailed,
  recordRequests,
  finishRun,
  totals,
  failures,
  absences,
  noteUnreachable,
  markDamaged,
  replayQuarantine,
  dropQuarantine,
}

/**
 * The one place of record: rows and ledger in one transaction. One writer; every operation is safe to
 * repeat. @throws SinkError
 */
export interface Store extends Bound<typeof OPERATIONS>, LedgerView {
  /**
   * Absolute path of the file, or the catalog of the lake. Never open, copy or hash the file in this
   * process: that drops its lock.
   */
  readonly file: string
  /** A further connection, e.g. for a publication; the caller closes it. Time zone UTC. */
  connect(): Promise<DuckDBConnection>
  /** Runs work while nobody writes through this store: a transaction of another connection, or a copy of the file. */
  alone: <T>(work: () => Promise<T>) => Promise<T>
  /** Makes the files of a lake few; null for a DuckDB file, which does so itself. */
  compact(): Promise<CompactReport | null>
  /** Rows of a SELECT over tables and ledger. Times come as text: ask for `epoch_ms(...)`. */
  query(sql: string, params?: SqlParams): Promise<Row[]>
  /** Ends the store; the file is whole and free for another process afterwards. */
  close(): Promise<void>
}

/**
 * Opens the store, makes or migrates its tables. See openFilePlace, openLakePlace and migrate for what
 * is refused.
 *
 * @throws SinkError
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { file, tables, datasets, coinlakeVersion, clock } = options
  const place = typeof file === 'string' ? await openFilePlace(file) : await openLakePlace(file)
  try {
    const context: StoreContext = {
      file: place.name,
      reader: openSession(await place.connect(), place.name),
      writer: openWriteSession(await place.connect(), place),
      tables: new Map(tables.map((table) => [table.name, table])),
      datasets: new Map(datasets.map((dataset) => [dataset.name, dataset])),
      clock,
      coinlakeVersion,
    }
    try {
      const nowMs = clock.nowMs()
      await migrate(context.writer, { place, tables, datasets, coinlakeVersion, nowMs })
      // Not before: what is no store of ours is left as it was, a file's mode included.
      await place.onMigrated()
    } catch (error) {
      context.reader.close()
      context.writer.close()
      throw error
    }
    return storeOf(context, place)
  } catch (error) {
    place.close()
    throw error
  }
}

function storeOf(context: StoreContext, place: StorePlace): Store {
  let open = true
  return {
    file: context.file,
    connect: async () => await place.connect(),
    alone: async (work) => await place.alone(work),
    compact: async () => (place.isLake ? await compactLake(place) : null),
    ...ledgerView(context),
    ...bindContext(context, OPERATIONS),
    query: async (sql, params) => await context.reader.rows(sql, params),
    async close() {
      if (!open) return
      open = false
      context.reader.close()
      context.writer.close()
      place.close()
    },
  }
}
