import {
  CancellationScope,
  condition,
  continueAsNew,
  getExternalWorkflowHandle,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import type { PlannedSlice } from '../plan/planned-slice.ts'
import type { SliceFailure } from '../sinks/store.ts'
import { failureOf, fatalOf, loadActivities } from './activity-proxies.ts'
import { fetchSlice, SliceFailed } from './fetch-slice.ts'
import { keyPool } from './key-pool.ts'
import { laneControlSignal, laneReportSignal, SLICES_PER_HISTORY } from './messages.ts'
import type { Fatal, LaneInput, LaneResult } from './messages.ts'
import { isWorthReport, REPORT_GROWTH } from './run-pace.ts'

/** Slices a lane asks the ledger for at once. */
const LOOK = 100
/** It asks again when so few are left: the one slot of the ledger may be at a load for seconds. */
const LOOK_AGAIN = 50
/**
 * A load is worth its transaction at this size, or when this much time has passed since the last.
 * Slices that are not light wait until they fill two row groups of DuckDB (of 122,880 rows): these go
 * into the file by themselves, where fewer rows go to the write-ahead log first, which takes twice the
 * work. The part of a group behind them stays as it is, since no three neighbours fit into two.
 */
const LOAD_SLICES = 25
const LIGHT_ROWS = 20_000
const LOAD_ROWS = 246_000
const LOAD_AFTER_MS = 15_000

/**
 * Walks every `lanes`-th slice of the plan by cursor: fetches pages with several in flight, loads
 * what is staged in batches, and continues as new before its history grows long. One bad slice is
 * written down as failed and never stops its siblings. Being cancelled by Temporal means the same as
 * being told to stop: what is staged is loaded first.
 */
export async function exportLane(input: LaneInput): Promise<LaneResult> {
  const { cancelRequested } = CancellationScope.current()
  return CancellationScope.nonCancellable(() => walkLane(input, cancelRequested))
}

async function walkLane(input: LaneInput, cancelRequested: Promise<never>): Promise<LaneResult> {
  const fetching = keyPool(input.queues, input.kind, input.lostKeys)
  const loading = loadActivities(input.queues)
  const parent = workflowInfo().parent
  const done = { ...input.done }
  let { paused, after } = input
  let stopping = false
  let fatal: Fatal | null = null
  let throttledUntilMs = 0

  const ready: PlannedSlice[] = []
  let lookedToEnd = false
  let isLooking = false
  let inFlight = 0
  let taken = 0
  /** Taken and neither staged nor failed: after a stop in the middle they must be looked up again. */
  const unfinished = new Set<number>()
  let staged: number[] = []
  let stagedRows = 0
  let failed: SliceFailure[] = []
  let lastLoadMs = Date.now()
  let isLoading = false
  let isLoadBroken = false

  setHandler(laneControlSignal, (control) => {
    paused = control.paused
    stopping = stopping || control.stopping
  })
  cancelRequested.catch(() => {
    stopping = true
  })

  const halt = (failure: Fatal): void => {
    fatal ??= failure
    stopping = true
  }
  const isHistoryFull = (): boolean =>
    taken >= (input.slicesPerHistory ?? SLICES_PER_HISTORY) || workflowInfo().continueAsNewSuggested

  const newsCount = (): number => done.slicesLoaded + done.slicesFailed + done.throttled
  let reportedNews = newsCount()
  const beganMs = Date.now()
  let reported = { pages: done.pages, atMs: beganMs }

  async function report(): Promise<void> {
    const atMs = Date.now()
    reportedNews = newsCount()
    reported = { pages: done.pages, atMs }
    if (parent === undefined) return
    await getExternalWorkflowHandle(parent.workflowId)
      .signal(laneReportSignal, { lane: input.lane, atMs, throttledUntilMs, ...done })
      .catch(() => undefined) // The parent has ended: nobody is left to be told.
  }
  const reportNews = async (): Promise<void> => {
    if (newsCount() >= reportedNews * REPORT_GROWTH + 1) await report()
  }

  async function fetchOne(slice: PlannedSlice): Promise<void> {
    try {
      const fetched = await fetchSlice(fetching, input.stageDir, slice, {
        onThrottled: (untilMs) => {
          throttledUntilMs = Math.max(throttledUntilMs, untilMs)
          done.throttled += 1
          void reportNews()
        },
        onCalls: (calls) => {
          done.calls += calls
        },
        onPage: (bytes) => {
          done.pages += 1
          done.bytes += bytes
          if (isWorthReport(done.pages, reported, { beganMs, nowMs: Date.now() })) void report()
        },
        isStopping: () => stopping,
        isGivingBack: isHistoryFull,
      })
      if (fetched !== null) {
        unfinished.delete(slice.ordinal)
        staged.push(slice.ordinal)
        stagedRows += fetched.rows
      }
    } catch (error) {
      const failure =
        error instanceof SliceFailed
          ? { code: error.code, reason: error.message }
          : failureOf(error)
      const isFatal = 'exitCode' in failure ? fatalOf(failure) : null
      if (isFatal !== null) {
        halt(isFatal)
      } else {
        unfinished.delete(slice.ordinal)
        failed.push({ ordinal: slice.ordinal, code: failure.code, reason: failure.reason })
      }
    } finally {
      inFlight -= 1
    }
  }

  async function loadStaged(): Promise<void> {
    const ordinals = staged
    const failures = failed
    staged = []
    stagedRows = 0
    failed = []
    isLoading = true
    try {
      if (ordinals.length > 0) {
        const loaded = await loading.loadSlices({ runId: input.runId, ordinals })
        done.slicesLoaded += loaded.slices
        done.rows += loaded.rows
        for (const ordinal of loaded.notStaged) {
          failures.push({
            ordinal,
            code: 'STAGE_DAMAGED',
            reason:
              'a staged page was damaged before it could be loaded; it is fetched again by the next run',
          })
        }
      }
      if (failures.length > 0) {
        await loading.failSlices({ runId: input.runId, failures })
        done.slicesFailed += failures.length
      }
      await reportNews()
    } catch (error) {
      isLoadBroken = true
      halt(failureOf(error))
    } finally {
      lastLoadMs = Date.now()
      isLoading = false
    }
  }

  async function look(): Promise<void> {
    isLooking = true
    try {
      const found = await loading.nextSlices({
        runId: input.runId,
        lane: input.lane,
        lanes: input.lanes,
        after,
        limit: LOOK,
      })
      ready.push(...found.slices)
      lookedToEnd = found.isEnd
      after = ready.at(-1)?.ordinal ?? after
    } catch (error) {
      halt(failureOf(error))
    } finally {
      isLooking = false
    }
  }

  const isLoadDue = (): boolean =>
    stagedRows >= LOAD_ROWS ||
    (staged.length + failed.length >= LOAD_SLICES && stagedRows < LIGHT_ROWS) ||
    (staged.length + failed.length > 0 &&
      (Date.now() - lastLoadMs >= LOAD_AFTER_MS || (paused && inFlight === 0)))

  const isLookDue = (): boolean => !isLooking && !lookedToEnd && ready.length <= LOOK_AGAIN
  const isAllTaken = (): boolean => ready.length === 0 && lookedToEnd

  for (;;) {
    await condition(
      () =>
        stopping ||
        (isLoadDue() && !isLoading) ||
        (!paused && inFlight < input.inFlight && (ready.length > 0 || isLookDue() || isAllTaken())),
    )
    if (!isLoading && isLoadDue()) void loadStaged()
    if (stopping) break
    if (paused || inFlight >= input.inFlight) continue
    if (isHistoryFull()) break
    if (isLookDue()) void look()
    const slice = ready.shift()
    if (slice === undefined) {
      if (isAllTaken()) break
      continue
    }
    taken += 1
    inFlight += 1
    unfinished.add(slice.ordinal)
    void fetchOne(slice)
  }

  await condition(() => inFlight === 0 && !isLoading && !isLooking)
  if (staged.length + failed.length > 0 && !isLoadBroken) await loadStaged()
  await report()
  const left = [...unfinished, ...ready.map(({ ordinal }) => ordinal)]
  if (!stopping && (left.length > 0 || !lookedToEnd)) {
    const next = Math.min(after, ...left.map((ordinal) => ordinal - 1))
    const lostKeys = fetching.lost()
    await continueAsNew<typeof exportLane>({ ...input, after: next, paused, done, lostKeys })
  }
  return { ...done, fatal, lostKeys: fetching.lost() }
}
