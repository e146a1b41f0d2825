import { condition } from '@temporalio/workflow'
import type { FetchActivities, FetchPageInput } from '../activities/activity-types.ts'
import type { PlannedSlice } from '../plan/planned-slice.ts'

export interface FetchedSlice {
  rows: number
  calls: number
}

/** A slice that cannot be fetched, with the reason that goes into the ledger. */
export class SliceFailed extends Error {
  readonly code: string
  constructor(code: string, reason: string) {
    super(reason)
    this.code = code
  }
}

export interface FetchSliceHooks {
  /** Told when the source says wait. */
  onThrottled(untilMs: number): void
  onCalls(calls: number): void
  /** Told of each page that came. */
  onPage(bytes: number): void
  /** Lets a slice stop between two pages when the run is stopping. */
  isStopping(): boolean
  /** Whether a slice that would have to wait should be given back instead, to be taken again later. */
  isGivingBack(): boolean
}

/** Clocks differ: a time that seems past already must not make us ask in a tight loop. */
export const MIN_WAIT_MS = 1_000

/** Listings that start again more often than this never end: their source is too slow for one observation. */
const MAX_LISTING_STARTS = 3

/**
 * Fetches all pages of one slice, one activity a page, and returns counts; rows stay in the stage.
 * Returns null when the slice is left unfinished because the run is stopping or the lane gives it
 * back: what is staged stays staged and answers the next time.
 *
 * @throws SliceFailed, or the activity's own failure.
 */
export async function fetchSlice(
  activities: FetchActivities,
  stageDir: string,
  slice: PlannedSlice,
  hooks: FetchSliceHooks,
): Promise<FetchedSlice | null> {
  const total: FetchedSlice = { rows: 0, calls: 0 }
  let listingStarts = 1
  let input: FetchPageInput = firstPage(stageDir, slice, 1, null)
  for (;;) {
    if (hooks.isStopping()) return null
    const result = await activities.fetchPage(input)
    total.calls += result.calls
    hooks.onCalls(result.calls)
    if (result.kind === 'throttled') {
      hooks.onThrottled(result.throttledUntilMs)
      const mayLeave = (): boolean => hooks.isStopping() || hooks.isGivingBack()
      const waitMs = Math.max(MIN_WAIT_MS, result.throttledUntilMs - Date.now())
      // A wait may last a quarter of an hour: whoever stops the run must not sit through it.
      if (await condition(mayLeave, waitMs)) return null
    } else if (result.kind === 'wrong_granularity') {
      if (input.attempt === 2) {
        throw new SliceFailed(
          'WRONG_GRANULARITY',
          `asked for ${slice.granularity} points twice, was given ${result.delivered}`,
        )
      }
      input = firstPage(stageDir, slice, 2, Date.now())
    } else if (result.kind === 'listing_stale') {
      listingStarts += 1
      if (listingStarts > MAX_LISTING_STARTS) {
        throw new SliceFailed(
          'LISTING_INTERRUPTED',
          'the listing was interrupted for over 10 minutes, 3 times',
        )
      }
      total.rows = 0
      input = firstPage(stageDir, slice, input.attempt, Date.now())
    } else {
      total.rows += result.rowCount
      hooks.onPage(result.bytes)
      if (result.next === null) return total
      input = {
        ...input,
        ...result.next,
        observedAtMs: result.observedAtMs,
        previousAskedAtMs: result.requestedAtMs,
      }
    }
  }
}

function firstPage(
  stageDir: string,
  slice: PlannedSlice,
  attempt: 1 | 2,
  freshAfterMs: number | null,
): FetchPageInput {
  return {
    stageDir,
    slice,
    step: 0,
    page: 1,
    attempt,
    observedAtMs: null,
    previousAskedAtMs: null,
    freshAfterMs,
  }
}
