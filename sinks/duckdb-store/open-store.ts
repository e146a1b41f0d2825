import { chmod } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Clock } from '../../config/clock.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import { absences } from '../ledger/absences.ts'
import { type Bound, bindContext } from './bind-context.ts'
import { compactLake, type CompactReport } from './lake/compact-lake.ts'
import { openFileAccess } from './opening/file-access.ts'
import { openLakeAccess } from './lake/lake-access.ts'
import type { LakeSettings } from './lake/lake-settings.ts'
import { ledgerReader, type LedgerReader } from './ledger/ledger-reader.ts'
import { load } from './load/load.ts'
import { markDamaged } from './repair/mark-damaged.ts'
import { migrate } from './migration/migrate.ts'
import { addFailed, failSlices, nextSlices, plannedBy, writePlan } from './ledger/plan-ledger.ts'
import { failures, finishRun, recordRequests, totals, unfinishedRuns } from './ledger/finish-run.ts'
import { dropQuarantine, replayQuarantine } from './repair/replay-quarantine.ts'
import { openSession, openWriteSession, type Session } from './session.ts'
import type { StoreContext } from './store-context.ts'
import type { StoreAccess } from './opening/store-access.ts'
import { freezeUniverse } from './ledger/freeze-universe.ts'
import { noteUnreachable } from './ledger/write-unreachable.ts'

/** Only the user may read a store, because the ledger tells what was requested. */
const STORE_MODE = 0o600

export interface StoreOptions {
  /** The store's file, or a DuckLake. Made if missing. */
  file: string | LakeSettings
  /** The store has the tables of planned ones, beside its ledger. */
  datasets: readonly Dataset[]
  coinlakeVersion: string
  clock: Clock
}

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
 * The one place of record. Rows and ledger change in one transaction. Every operation may be repeated.
 *
 * @throws SinkError
 */
export interface Store extends Bound<typeof OPERATIONS>, LedgerReader {
  /**
   * Absolute path of the file, or the catalog of the lake. Never open, copy or hash the file in this process: that
   * drops its lock.
   */
  readonly file: string
  /** Opens another connection in time zone UTC. The caller closes it. */
  connect(): Promise<DuckDBConnection>
  /** Runs `work` (a transaction of another connection, a copy of the file) while nobody writes through this store. */
  alone: <T>(work: () => Promise<T>) => Promise<T>
  /** Merges the files of a lake; null: DuckDB compacts a DuckDB file itself. */
  compact(): Promise<CompactReport | null>
  /** Rows of a SELECT over tables and ledger, as the rows of a Session. */
  query: Session['rows']
  /** Closes the store. Then the file is complete, and another process may open it. */
  close(): Promise<void>
}

/** Makes or migrates the tables of the store. @throws SinkError as openFileAccess, openLakeAccess and migrate */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { file, datasets, coinlakeVersion, clock } = options
  const access = typeof file === 'string' ? await openFileAccess(file) : await openLakeAccess(file)
  try {
    const context: StoreContext = {
      file: access.name,
      reader: openSession(await access.connect(), access.name),
      writer: openWriteSession(await access.connect(), access),
      datasets: new Map(datasets.map((dataset) => [dataset.name, dataset])),
      clock,
      coinlakeVersion,
    }
    try {
      const nowMs = clock.nowMs()
      await migrate(context.writer, { access, datasets, coinlakeVersion, nowMs })
      // Only now: a file that is no store keeps its mode.
      if (!access.isLake) await chmod(access.name, STORE_MODE)
    } catch (error) {
      context.reader.close()
      context.writer.close()
      throw error
    }
    return storeOf(context, access)
  } catch (error) {
    access.close()
    throw error
  }
}

function storeOf(context: StoreContext, access: StoreAccess): Store {
  let open = true
  return {
    file: context.file,
    connect: async () => await access.connect(),
    alone: async (work) => await access.alone(work),
    compact: async () => (access.isLake ? await compactLake(access) : null),
    ...ledgerReader(context),
    ...bindContext(context, OPERATIONS),
    query: context.reader.rows,
    async close() {
      if (!open) return
      open = false
      context.reader.close()
      context.writer.close()
      access.close()
    },
  }
}
