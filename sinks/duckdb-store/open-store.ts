import type { DuckDBConnection } from '@duckdb/node-api'
import type { Clock } from '../../config/clock.ts'
import type { Dataset, TableSpec } from '../../datasets/dataset.ts'
import type { PageStage } from '../../stage/page-stage.ts'
import type { Store } from '../store.ts'
import type { Difference } from '../verify/verify-source.ts'
import { absences } from './absences.ts'
import { compactLake } from './compact-lake.ts'
import type { CompactReport } from './compact-lake.ts'
import { plannedBy } from './coverage.ts'
import { openFilePlace } from './file-place.ts'
import { openLakePlace } from './lake-place.ts'
import type { LakeSettings } from './lake-settings.ts'
import { summary } from './ledger-look.ts'
import { ledgerView } from './ledger-view.ts'
import { load } from './load.ts'
import { markDamaged } from './mark-damaged.ts'
import type { RepairReport } from './mark-damaged.ts'
import { migrate } from './migrate.ts'
import { addFailed, failSlices, nextSlices, remaining, writePlan } from './plan-ledger.ts'
import { failures, finishRun, recordRequests, totals, unfinishedRuns } from './run-report.ts'
import { dropQuarantine, replayQuarantine } from './replay-quarantine.ts'
import type { ReplayReport } from './replay-quarantine.ts'
import { openSession, openWriteSession } from './session.ts'
import type { StoreContext } from './store-context.ts'
import type { StorePlace } from './store-place.ts'
import { freezeUniverse } from './universes.ts'
import { noteUnreachable } from './unreachable.ts'

export interface StoreOptions {
  /** The store's file, made if missing, in a folder that is made if missing; or a DuckLake. */
  file: string | LakeSettings
  /** All tables the datasets fill; the ledger's own come by themselves. */
  tables: readonly TableSpec[]
  datasets: readonly Dataset[]
  coinlakeVersion: string
  clock: Clock
}

/** The store in a DuckDB file of its own, or in a DuckLake. */
export interface DuckdbStore extends Store {
  /**
   * Absolute path of the file, or the catalog of the lake. Never open, copy or hash the file in this
   * process: that drops its lock.
   */
  readonly file: string
  /** A further connection, e.g. for a publication; the caller closes it. Time zone UTC. */
  connect(): Promise<DuckDBConnection>
  /** Runs work while nobody writes through this store: a transaction of another connection, or a copy of the file. */
  alone: <T>(work: () => Promise<T>) => Promise<T>
  /** Loads what was set aside and passes the rules of today. `stage` gives the answers anew. */
  replayQuarantine(ids: readonly string[], stage: PageStage): Promise<ReplayReport>
  /** Ends open rows of the quarantine without loading them; returns how many. */
  dropQuarantine(ids: readonly string[]): Promise<number>
  /** Makes the files of a lake few; null for a DuckDB file, which does so itself. */
  compact(): Promise<CompactReport | null>
  /** Makes the next backfill ask again for the slices that a verification found damaged. */
  markDamaged(differences: readonly Difference[]): Promise<RepairReport>
}

/**
 * Opens the store, makes or migrates its tables. See openFilePlace, openLakePlace and migrate for what
 * is refused.
 *
 * @throws SinkError
 */
export async function openStore(options: StoreOptions): Promise<DuckdbStore> {
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

function storeOf(context: StoreContext, place: StorePlace): DuckdbStore {
  let open = true
  return {
    file: context.file,
    connect: async () => await place.connect(),
    alone: async (work) => await place.alone(work),
    compact: async () => (place.isLake ? await compactLake(place) : null),
    markDamaged: async (differences) => await markDamaged(context, differences),
    replayQuarantine: async (ids, stage) => await replayQuarantine(context, ids, stage),
    dropQuarantine: async (ids) => await dropQuarantine(context, ids),
    ...ledgerView(context),
    plannedBy: async (runIds) => await plannedBy(context, runIds),
    unfinishedRuns: async () => await unfinishedRuns(context),
    freezeUniverse: async (selector, coinIds, chosenAtMs) => {
      await freezeUniverse(context, selector, coinIds, chosenAtMs)
    },
    writePlan: async (run, slices) => await writePlan(context, run, slices),
    nextSlices: async (at) => await nextSlices(context, at),
    load: async (request, stage) => await load(context, request, stage),
    failSlices: async (runId, slices) => {
      await failSlices(context, runId, slices)
    },
    addFailed: async (runId, slices, failure) => {
      await addFailed(context, runId, slices, failure)
    },
    recordRequests: async (runId, requests) => {
      await recordRequests(context, runId, requests)
    },
    finishRun: async (runId, verdict, finishedAtMs) => {
      await finishRun(context, runId, verdict, finishedAtMs)
    },
    totals: async (runId) => await totals(context, runId),
    failures: async (runId, limit) => await failures(context, runId, limit),
    absences: async (runId) => await absences(context, runId),
    noteUnreachable: async (wantedOf, holes) => {
      await noteUnreachable(context, wantedOf, holes)
    },
    remaining: async (runId) => await remaining(context, runId),
    summary: async () => await summary(context),
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
