import pLimit from 'p-limit'
import { failureFactsOf, type FailureFacts } from '../activity-failure.ts'
import type { FetchDeps } from '../activity-deps.ts'
import type {
  BatchSlice,
  FetchBatchInput,
  FetchBatchResult,
  SliceOutcome,
} from '../activity-types.ts'
import { batchTime } from './batch-time.ts'
import { fetchSlice, NOT_BEGUN } from './fetch-slice.ts'
import type { LocalRun } from './key-ring.ts'
import { EXIT } from '../../config/coinlake-error.ts'
import type { FatalCause } from '../run-report.ts'

/** A batch begins no page after this time. So a schedule's batch waits no longer behind a backfill's. */
export const BATCH_MS = 5_000

/** Faults that every slice would meet: of the key, its month or the address. */
const FATAL_CODES: ReadonlySet<string> = new Set([
  'SOURCE_AUTH',
  'MONTH_SPENT',
  'SOURCE_UNREACHABLE',
  'SOURCE_NOT_A_SERVICE',
  'SOURCE_DOWN',
])

/**
 * Fetches some slices, several at a time, page by page into the stage. The batch ends when all are staged or its time is
 * over; at once when the run is stopped or every key must wait. After a crash only pages that were in flight are paid
 * again.
 */
export async function fetchBatch(
  deps: FetchDeps,
  runOf: (runId: string) => LocalRun,
  { runId, slices, mayUseReserve }: FetchBatchInput,
  stopped: AbortSignal,
): Promise<FetchBatchResult> {
  const turn = batchTime(deps.batchMs ?? BATCH_MS, stopped, mayUseReserve)
  const run = runOf(runId)
  const result = { pages: 0, bytes: 0, throttled: 0, waitUntilMs: 0 }
  const onPage: Parameters<typeof fetchSlice>[1]['onPage'] = (page) => {
    result.bytes += page.bytes
    if (page.isNew) result.pages += 1
    if (page.throttledUntilMs === null) return
    result.throttled += 1
    result.waitUntilMs = Math.max(result.waitUntilMs, page.throttledUntilMs)
    // The batch ends and returns the time: a waiting batch would hold its slot.
    turn.end()
  }
  async function fetchOne(slice: BatchSlice): Promise<SliceOutcome> {
    const { ordinal, begun = NOT_BEGUN } = slice
    const unfinished = { ordinal, state: 'left', begun, notBeforeMs: 0 } as const
    if (run.fatal !== null) return unfinished
    try {
      return await fetchSlice(slice, { deps, run, turn, runId, onPage })
    } catch (error) {
      const failure = failureFactsOf(error)
      const cause = fatalCauseOf(failure)
      if (cause === null) {
        return { ordinal, state: 'failed', code: failure.code, reason: failure.reason }
      }
      run.fatal ??= cause
      turn.end()
      return unfinished
    }
  }
  const limit = pLimit(deps.pagesInFlight)
  const outcomes = await limit.map(slices, fetchOne)
  return { ...result, calls: turn.calls(), outcomes, fatal: run.fatal, lostKeys: run.keys.lost() }
}

/** The cause of a run's end: a refused or used-up key, a wrong address, a broken sink. null = the run goes on. */
export function fatalCauseOf(failure: FailureFacts): FatalCause | null {
  const { isRetryable: _, ...cause } = failure
  return FATAL_CODES.has(cause.code) || cause.exitCode === EXIT.sink ? cause : null
}
