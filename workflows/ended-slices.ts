import type { StoreActivities } from '../activities/activity-types.ts'
import type { SliceFailure } from '../sinks/store-records.ts'
import { failureOf } from './activity-proxies.ts'
import type { LiveRun } from './live-run.ts'

/**
 * A load begins at `LOAD_ROWS`, at `LOAD_SLICES` slices with few rows, or some time after the last load. Two row groups
 * of DuckDB (122,880 rows each) go straight into the file. Fewer rows pass the write-ahead log first, at twice the work.
 * A load never exceeds two groups: the next checkpoint would write the rest again, into a file a third larger.
 */
const LOAD_SLICES = 25
const LIGHT_ROWS = 20_000
export const LOAD_ROWS = 2 * 122_880
const LOAD_AFTER_MS = 15_000

interface StagedSlice {
  ordinal: number
  rows: number
}

/** The slices of a run that were fetched, or failed, and wait for their load. */
export function endedSlices(
  run: LiveRun,
  store: Pick<StoreActivities, 'loadSlices' | 'failSlices'>,
) {
  const { runId } = run
  const staged: StagedSlice[] = []
  const everStaged = { slices: 0, rows: 0 }
  let failed: SliceFailure[] = []
  let lastLoadMs = Date.now()
  let isLoading = false
  let loadingRows = 0
  let isLoadBroken = false

  const stagedRows = (): number => staged.reduce((sum, { rows }) => sum + rows, 0)
  const count = (): number => staged.length + failed.length
  const fitsLoad = ({ rows }: StagedSlice): boolean =>
    loadingRows === 0 || loadingRows + rows <= LOAD_ROWS

  /** Loads the first slices, up to `LOAD_ROWS`, and records all failures. A fault ends the run. */
  async function load(): Promise<void> {
    const ordinals: number[] = []
    const failures = failed
    failed = []
    while (staged[0] !== undefined && fitsLoad(staged[0])) {
      const { ordinal, rows } = staged.shift()!
      ordinals.push(ordinal)
      loadingRows += rows
    }
    isLoading = true
    try {
      if (ordinals.length > 0) {
        const loaded = await store.loadSlices({ runId, ordinals })
        run.done.slicesLoaded += loaded.slices
        run.done.rows += loaded.rows
        failures.push(...loaded.notStaged.map(damagedFailure))
      }
      if (failures.length > 0) {
        await store.failSlices({ runId, failures })
        run.done.slicesFailed += failures.length
      }
    } catch (error) {
      isLoadBroken = true
      run.fatal ??= failureOf(error)
    } finally {
      lastLoadMs = Date.now()
      isLoading = false
      loadingRows = 0
    }
  }

  return {
    addStaged(slice: StagedSlice): void {
      staged.push(slice)
      everStaged.slices += 1
      everStaged.rows += slice.rows
    },
    addFailed: (failure: SliceFailure): void => void failed.push(failure),
    /** Rows that wait for a load or are being loaded. */
    rowsAhead: (): number => stagedRows() + loadingRows,
    /** Mean rows of all slices that were staged so far. */
    meanRows: (): number => everStaged.rows / Math.max(1, everStaged.slices),
    isLoading: (): boolean => isLoading,
    /** @param isIdle no batch is out, so nothing else would come before the load */
    isLoadDue: (isIdle: boolean): boolean =>
      !isLoading &&
      (stagedRows() >= LOAD_ROWS ||
        (count() >= LOAD_SLICES && stagedRows() < LIGHT_ROWS) ||
        (count() > 0 && (isIdle || Date.now() - lastLoadMs >= LOAD_AFTER_MS))),
    load,
    /** Loads all slices, unless a load has failed. */
    async loadAll(): Promise<void> {
      while (count() > 0 && !isLoadBroken) await load()
    },
  }
}

function damagedFailure(ordinal: number): SliceFailure {
  return {
    ordinal,
    code: 'STAGE_DAMAGED',
    reason:
      'a staged page was damaged before it could be loaded; it is fetched again by the next run',
  }
}
