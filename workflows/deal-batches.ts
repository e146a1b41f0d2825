import { CancellationScope, condition, isCancellation, workflowInfo } from '@temporalio/workflow'
import type {
  FetchActivities,
  FetchBatchResult,
  StoreActivities,
  NextSlicesResult,
} from '../activities/activity-types.ts'
import { failureOf } from './activity-proxies.ts'
import { MIN_WAIT_MS } from './choose-universe.ts'
import { dueSlices, type DueSlice } from './due-slices.ts'
import { endedSlices, LOAD_ROWS } from './ended-slices.ts'
import { isStopping, type LiveRun } from './live-run.ts'

export interface DealInput {
  /** The first slices of the plan; absent = the run continues as new. */
  first: NextSlicesResult | undefined
  fetching: FetchActivities
  store: Pick<StoreActivities, 'nextSlices' | 'loadSlices' | 'failSlices'>
  batchesPerHistory?: number | undefined
  /** Called after each batch, when the run's totals have grown. */
  onBatchDone: () => void
}

/**
 * A worker that takes over a run replays its history, in about a millisecond an event. One workflow task, whose length
 * is limited (`lostAfterMs`), must hold the replay: a longer one begins again for ever.
 */
const EVENTS_PER_HISTORY = 1_500
/** Slices read from the ledger at once. */
const SLICES_PER_READ = 256
/** Most batches queued or running at once: two for each of four processes. */
const BATCHES_OUT = 8
/**
 * Limit of the rows in fetches, in loads and in between. Above it no batch is dealt: a fast source must not
 * outrun the loads, because waiting rows stay in memory (stage/recent-rows.ts). While one load runs, the next is fetched.
 */
const MOST_ROWS_AHEAD = 2 * LOAD_ROWS

/**
 * Deals the planned slices of a run in batches, in the order of the plan, and loads the staged slices. A bad slice is
 * recorded as failed and never stops its siblings.
 *
 * @returns false when the history is full and slices remain: the run must continue as new.
 */
export async function dealBatches(run: LiveRun, input: DealInput): Promise<boolean> {
  const { runId } = run
  const { fetching, store, onBatchDone } = input
  const due = dueSlices()
  const ended = endedSlices(run, store)
  let after = -1
  let isPlanRead = false
  let isReading = false
  let batches = 0
  let out = 0
  let slicesOut = 0
  let sending = new CancellationScope({ cancellable: true })

  const isHistoryFull = (): boolean =>
    batches >= (input.batchesPerHistory ?? Infinity) ||
    workflowInfo().historyLength > EVENTS_PER_HISTORY
  const isAllDealt = (): boolean => due.count() === 0 && isPlanRead && out === 0
  const isOver = (): boolean => isStopping(run) || isAllDealt() || (isHistoryFull() && out === 0)
  const isLoadDue = (): boolean => ended.isLoadDue(out === 0)
  /** The next slices are read early, because the plan is read by the process that loads, and one load may take seconds. */
  const isReadDue = (): boolean =>
    !isReading && !isPlanRead && !run.paused && due.count() < SLICES_PER_READ && !isHistoryFull()
  const mayDeal = (): boolean =>
    !run.paused &&
    out < BATCHES_OUT &&
    slicesOut * ended.meanRows() + ended.rowsAhead() < MOST_ROWS_AHEAD &&
    !isHistoryFull()

  function notePlanned({ slices, isEnd }: NextSlicesResult): void {
    due.addPlanned(slices)
    isPlanRead = isEnd
    after = slices.at(-1)?.ordinal ?? after
  }

  async function readPlan(): Promise<void> {
    isReading = true
    try {
      notePlanned(await store.nextSlices({ runId, after, limit: SLICES_PER_READ }))
    } catch (error) {
      run.fatal ??= failureOf(error)
    } finally {
      isReading = false
    }
  }

  async function fetchBatch(batch: readonly DueSlice[]): Promise<void> {
    out += 1
    slicesOut += batch.length
    batches += 1
    try {
      const { mayUseReserve } = run
      const asked = { runId, slices: batch.map(({ slice }) => slice), mayUseReserve }
      noteResult(batch, await sending.run(() => fetching.fetchBatch(asked)))
    } catch (error) {
      if (isCancellation(error)) due.putBack(batch)
      else retryOrFail(batch, error)
    } finally {
      out -= 1
      slicesOut -= batch.length
      onBatchDone()
    }
  }

  function noteResult(batch: readonly DueSlice[], result: FetchBatchResult): void {
    noteDemands(run, result)
    const byOrdinal = new Map(batch.map((one) => [one.slice.ordinal, one]))
    const left: DueSlice[] = []
    for (const outcome of result.outcomes) {
      if (outcome.state === 'staged') {
        ended.addStaged(outcome)
      } else if (outcome.state === 'failed') {
        const { state: _, ...failure } = outcome
        ended.addFailed(failure)
      } else {
        const { begun, notBeforeMs } = outcome
        const { slice, isAlone } = byOrdinal.get(outcome.ordinal)!
        left.push({ slice: { ...slice, begun }, notBeforeMs, isAlone })
      }
    }
    due.putBackLeft(left, batch.length - left.length)
  }

  /** One bad page can kill the worker of a batch. So each slice of a lost batch is retried alone before it fails. */
  function retryOrFail(batch: readonly DueSlice[], error: unknown): void {
    if (batch.length > 1) {
      due.putBack(batch.map((one) => ({ ...one, isAlone: true })))
      return
    }
    const { code, reason } = failureOf(error)
    for (const { slice } of batch) ended.addFailed({ ordinal: slice.ordinal, code, reason })
  }

  /** Resolves when the loop has something to do: something has changed, or a wait is over. */
  function untilNextTurn(): Promise<unknown> {
    const state = (): string =>
      [out, due.count(), isReading, ended.isLoading(), run.paused].join(' ')
    const seen = state()
    const isTurnDue = (): boolean => isOver() || isLoadDue() || state() !== seen
    const nextMs = due.count() === 0 ? 0 : Math.max(run.waitUntilMs, due.earliestMs())
    const waitMs = nextMs - Date.now()
    return waitMs > 0 && mayDeal() ? condition(isTurnDue, waitMs) : condition(isTurnDue)
  }

  if (input.first !== undefined) notePlanned(input.first)
  while (!isOver()) {
    if (run.paused) sending.cancel()
    else if (sending.consideredCancelled) sending = new CancellationScope({ cancellable: true })
    if (isReadDue()) void readPlan()
    while (mayDeal() && Date.now() >= run.waitUntilMs) {
      const batch = due.takeBatch(isPlanRead ? BATCHES_OUT : null)
      if (batch.length === 0) break
      void fetchBatch(batch)
    }
    // After the dealing, because `isLoadDue` depends on the batches that are out.
    if (isLoadDue()) void ended.load()
    await untilNextTurn()
  }
  sending.cancel()
  await condition(() => out === 0 && !ended.isLoading() && !isReading)
  await ended.loadAll()
  return isStopping(run) || isAllDealt()
}

/** Adds a batch to the totals of the run, and takes over the source's waits and refusals. */
function noteDemands(run: LiveRun, result: FetchBatchResult): void {
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
}
