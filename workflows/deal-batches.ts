import { CancellationScope, condition, isCancellation, workflowInfo } from '@temporalio/workflow'
import type {
  BatchSlice,
  FetchActivities,
  FetchBatchResult,
  StoreActivities,
  NextSlicesResult,
} from '../activities/activity-types.ts'
import type { SliceFailure } from '../sinks/store-records.ts'
import { failureOf } from './activity-proxies.ts'
import { MIN_WAIT_MS } from './choose-universe.ts'
import type { LiveRun } from './messages.ts'

export interface DealInput {
  runId: string
  /** The first slices of the plan; absent = the run continues as new. */
  first: NextSlicesResult | undefined
  fetching: FetchActivities
  store: Pick<StoreActivities, 'nextSlices' | 'loadSlices' | 'failSlices'>
  batchesPerHistory?: number | undefined
  /** Called after each batch, when the run's totals have grown. */
  onBatchDone: () => void
}

/**
 * A worker that takes a killed one's run replays the history within one workflow task (`lostAfterMs`), in about a
 * millisecond an event. A replay that takes longer begins again for ever.
 */
const EVENTS_PER_HISTORY = 1_500
/** Slices read from the ledger at once. */
const SLICES_PER_READ = 256
/** Most batches queued or running at once: two for each of four processes. */
const BATCHES_OUT = 8
/** Slices of the first batches. A slow or blocked source finishes no more in a batch's time. */
const FIRST_BATCH = 16
const SMALLEST_BATCH = 4
const LARGEST_BATCH = 32
/**
 * A load begins at `LOAD_ROWS`, at `LOAD_SLICES` slices with few rows, or some time after the last load. Two row groups
 * of DuckDB (122,880 rows each) go straight into the file. Fewer rows pass the write-ahead log first, at twice the work.
 * A load never exceeds two groups: the next checkpoint would write the rest again, into a file a third larger.
 */
const LOAD_SLICES = 25
const LIGHT_ROWS = 20_000
const LOAD_ROWS = 2 * 122_880
const LOAD_AFTER_MS = 15_000
/**
 * Most rows that are fetched, wait for a load or are being loaded. Above it no batch is dealt: a fast source must not
 * outrun the loads, because waiting rows stay in memory (stage/recent-rows.ts). While one load runs, the next is fetched.
 */
const MOST_ROWS_AHEAD = 2 * LOAD_ROWS

/** A slice to be dealt. `isAlone`: its last batch lost its worker, so it gets a batch of its own. */
interface DueSlice extends BatchSlice {
  notBeforeMs: number
  isAlone?: boolean
}

/**
 * Deals the planned slices of a run in batches, in the order of the plan, and loads the staged slices. A bad slice is
 * recorded as failed and never stops its siblings. An unfinished slice goes first into the next batch: a listing must
 * not wait until it is too old to continue.
 *
 * @returns false when the history is full and slices remain: the run must continue as new.
 */
export async function dealBatches(run: LiveRun, input: DealInput): Promise<boolean> {
  const { runId, fetching, store, onBatchDone } = input
  const due: DueSlice[] = []
  let after = -1
  let isPlanRead = false
  let isReading = false
  let batchSize = FIRST_BATCH
  let batches = 0
  let out = 0
  let slicesOut = 0
  let sending = new CancellationScope({ cancellable: true })
  const staged: { ordinal: number; rows: number }[] = []
  /** All slices staged so far. */
  const everStaged = { slices: 0, rows: 0 }
  let failed: SliceFailure[] = []
  let lastLoadMs = Date.now()
  let isLoading = false
  let loadingRows = 0
  let isLoadBroken = false

  const isStopping = (): boolean => run.cancelled || run.fatal !== null
  const isHistoryFull = (): boolean =>
    batches >= (input.batchesPerHistory ?? Infinity) ||
    workflowInfo().historyLength > EVENTS_PER_HISTORY
  const stagedRows = (): number => staged.reduce((sum, { rows }) => sum + rows, 0)
  const endedCount = (): number => staged.length + failed.length
  const isLoadDue = (): boolean =>
    stagedRows() >= LOAD_ROWS ||
    (endedCount() >= LOAD_SLICES && stagedRows() < LIGHT_ROWS) ||
    (endedCount() > 0 && (Date.now() - lastLoadMs >= LOAD_AFTER_MS || out === 0))
  /** Early, because the plan is read by the process that loads, and one load may take seconds. */
  const isReadDue = (): boolean =>
    !isReading && !isPlanRead && !run.paused && due.length < SLICES_PER_READ && !isHistoryFull()
  const rowsOut = (): number => (slicesOut * everStaged.rows) / Math.max(1, everStaged.slices)
  const waitsUntilMs = (): number => {
    if (due.length === 0) return 0
    return Math.max(run.waitUntilMs, Math.min(...due.map(({ notBeforeMs }) => notBeforeMs)))
  }
  const mayDeal = (): boolean =>
    !run.paused &&
    out < BATCHES_OUT &&
    rowsOut() + stagedRows() + loadingRows < MOST_ROWS_AHEAD &&
    !isHistoryFull()
  const isAllDealt = (): boolean => due.length === 0 && isPlanRead && out === 0

  function addDue({ slices, isEnd }: NextSlicesResult): void {
    due.push(...slices.map((slice) => ({ ...slice, notBeforeMs: 0 })))
    isPlanRead = isEnd
    after = slices.at(-1)?.ordinal ?? after
  }

  async function readDue(): Promise<void> {
    isReading = true
    try {
      addDue(await store.nextSlices({ runId, after, limit: SLICES_PER_READ }))
    } catch (error) {
      run.fatal ??= failureOf(error)
    } finally {
      isReading = false
    }
  }

  /** Takes the next slices that may be fetched now out of `due`. */
  function takeBatch(): DueSlice[] {
    const nowMs = Date.now()
    const batch: DueSlice[] = []
    // The last slices are spread over all batches, so that the batches end together.
    const share = isPlanRead ? Math.ceil(due.length / BATCHES_OUT) : batchSize
    const size = Math.min(batchSize, Math.max(SMALLEST_BATCH, share))
    for (let place = 0; place < due.length && batch.length < size;) {
      const slice = due[place]!
      if (slice.notBeforeMs > nowMs) {
        place += 1
        continue
      }
      if (slice.isAlone === true && batch.length > 0) break
      batch.push(slice)
      due.splice(place, 1)
      if (slice.isAlone === true) break
    }
    return batch
  }

  async function fetchBatch(slices: DueSlice[]): Promise<void> {
    out += 1
    slicesOut += slices.length
    batches += 1
    try {
      const { mayUseReserve } = run
      const asked = { runId, slices: slices.map(asBatchSlice), mayUseReserve }
      noteResult(slices, await sending.run(() => fetching.fetchBatch(asked)))
    } catch (error) {
      if (isCancellation(error)) due.unshift(...slices)
      else retryOrFail(slices, error)
    } finally {
      out -= 1
      slicesOut -= slices.length
      onBatchDone()
    }
  }

  function noteResult(slices: readonly DueSlice[], result: FetchBatchResult): void {
    const { done } = run
    done.calls += result.calls
    done.pages += result.pages
    done.bytes += result.bytes
    done.throttled += result.throttled
    run.fatal ??= result.fatal
    for (const key of result.lostKeys) run.lostKeys.set(key.keyId, key)
    if (result.waitUntilMs > 0) {
      run.waitUntilMs = Math.max(run.waitUntilMs, result.waitUntilMs, Date.now() + MIN_WAIT_MS)
    }
    const byOrdinal = new Map(slices.map((slice) => [slice.ordinal, slice]))
    const unfinished: DueSlice[] = []
    for (const outcome of result.outcomes) {
      if (outcome.state === 'staged') {
        staged.push(outcome)
        everStaged.slices += 1
        everStaged.rows += outcome.rows
      } else if (outcome.state === 'failed') {
        const { state: _, ...failure } = outcome
        failed.push(failure)
      } else {
        const { begun, notBeforeMs } = outcome
        unfinished.push({ ...byOrdinal.get(outcome.ordinal)!, begun, notBeforeMs })
      }
    }
    due.unshift(...unfinished.toSorted((a, b) => (b.begun?.pages ?? 0) - (a.begun?.pages ?? 0)))
    const ended = slices.length - unfinished.length
    batchSize =
      unfinished.length === 0
        ? Math.min(LARGEST_BATCH, Math.max(batchSize, 2 * ended))
        : Math.max(SMALLEST_BATCH, ended)
  }

  /** One bad page can kill the worker of a batch. So each slice of a lost batch is retried alone before it fails. */
  function retryOrFail(slices: readonly DueSlice[], error: unknown): void {
    if (slices.length > 1) {
      due.unshift(...slices.map((slice) => ({ ...slice, isAlone: true })))
      return
    }
    const { code, reason } = failureOf(error)
    failed.push(...slices.map(({ ordinal }) => ({ ordinal, code, reason })))
  }

  const fitsLoad = ({ rows }: { rows: number }): boolean =>
    loadingRows === 0 || loadingRows + rows <= LOAD_ROWS

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

  if (input.first !== undefined) addDue(input.first)
  for (;;) {
    if (isStopping() || isAllDealt() || (isHistoryFull() && out === 0)) break
    if (run.paused) sending.cancel()
    else if (sending.consideredCancelled) sending = new CancellationScope({ cancellable: true })
    if (isReadDue()) void readDue()
    while (mayDeal() && Date.now() >= run.waitUntilMs) {
      const slices = takeBatch()
      if (slices.length === 0) break
      void fetchBatch(slices)
    }
    // After the dealing, because `isLoadDue` depends on the batches that are out.
    if (!isLoading && isLoadDue()) void load()
    const seen = { out, due: due.length, isReading, isLoading, paused: run.paused }
    const hasChanged = (): boolean =>
      isStopping() ||
      seen.out !== out ||
      seen.due !== due.length ||
      seen.isReading !== isReading ||
      seen.isLoading !== isLoading ||
      seen.paused !== run.paused ||
      (isHistoryFull() && out === 0) ||
      (!isLoading && isLoadDue())
    const laterMs = waitsUntilMs() - Date.now()
    if (laterMs > 0 && mayDeal()) await condition(hasChanged, laterMs)
    else await condition(hasChanged)
  }
  sending.cancel()
  await condition(() => out === 0 && !isLoading && !isReading)
  while (endedCount() > 0 && !isLoadBroken) await load()
  return isStopping() || isAllDealt()
}

function asBatchSlice(due: DueSlice): BatchSlice {
  const { notBeforeMs: _, isAlone: _alone, ...slice } = due
  return slice
}

function damagedFailure(ordinal: number): SliceFailure {
  return {
    ordinal,
    code: 'STAGE_DAMAGED',
    reason:
      'a staged page was damaged before it could be loaded; it is fetched again by the next run',
  }
}
