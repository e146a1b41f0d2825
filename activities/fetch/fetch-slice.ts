import type { PageDeps } from '../activity-deps.ts'
import type { BatchSlice, BegunSlice, FetchPageInput, SliceOutcome } from '../activity-types.ts'
import type { BatchTurn } from './batch-turn.ts'
import { failureFactsOf } from '../activity-failure.ts'
import { fetchPage } from './fetch-page.ts'
import type { KeyRing } from './key-ring.ts'
import { tryPage } from './page-tries.ts'
import type { PageEvent, RunObserver } from '../run-events.ts'

export interface SliceFetch {
  deps: Omit<PageDeps, 'client'>
  keys: KeyRing
  turn: BatchTurn
  runId: string
  observe: RunObserver
  /** Receives the calls and bytes of each page. `isNew`: no earlier batch had the page. */
  onPage: (page: {
    calls: number
    bytes: number
    isNew: boolean
    throttledUntilMs: number | null
  }) => void
}

/** A listing may start 3 times; after that its slice fails. */
const MAX_LISTING_STARTS = 3
const LISTING_INTERRUPTED = 'the listing was interrupted for over 10 minutes, 3 times'

/** A slice that no batch has begun. */
export const NOT_BEGUN: BegunSlice = {
  attempt: 1,
  freshAfterMs: null,
  listingStarts: 1,
  tries: 0,
  pages: 0,
}

/**
 * Fetches the pages of one slice one after the other into the stage. Pages that are already in the stage are not
 * requested. When the batch is over, the slice stays incomplete and keeps its pages.
 *
 * @throws the fault, when a retry cannot help or the tries are used up.
 */
export async function fetchSlice(
  slice: BatchSlice,
  { deps, keys, turn, runId, observe, onPage }: SliceFetch,
): Promise<SliceOutcome> {
  const { ordinal } = slice
  const begun = { ...NOT_BEGUN, ...slice.begun }
  let input = firstPage(slice, begun)
  let pages = 0
  let rows = 0
  const unfinished = (notBeforeMs = 0): SliceOutcome => {
    const known = Math.max(pages, begun.pages)
    return { ordinal, state: 'left', begun: { ...begun, pages: known }, notBeforeMs }
  }
  const failed = (code: string, reason: string): SliceOutcome => {
    return { ordinal, state: 'failed', code, reason }
  }
  const startAgain = (): void => {
    Object.assign(begun, { freshAfterMs: Date.now(), pages: 0 })
    pages = 0
    rows = 0
    input = firstPage(slice, begun)
  }
  for (;;) {
    if (turn.isOver()) return unfinished()
    const result = await tryPage(
      () => askAndReport(() => askPage(input), input, { runId, observe }),
      begun.tries,
      turn,
    )
    if (result.kind === 'left') {
      begun.tries = result.tries
      return unfinished(result.notBeforeMs)
    }
    begun.tries = 0
    const isPage = result.kind === 'page'
    onPage({
      calls: result.calls,
      bytes: isPage ? result.bytes : 0,
      isNew: isPage && pages >= begun.pages,
      throttledUntilMs: result.kind === 'throttled' ? result.throttledUntilMs : null,
    })
    if (result.kind === 'throttled') return unfinished()
    if (result.kind === 'page') {
      pages += 1
      rows += result.rowCount
      if (result.next === null) return { ordinal, state: 'staged', rows }
      const { observedAtMs, requestedAtMs: previousAskedAtMs } = result
      input = { ...input, ...result.next, observedAtMs, previousAskedAtMs }
    } else if (result.kind === 'wrong_granularity') {
      if (begun.attempt === 2) {
        const what = `asked for ${slice.granularity} points twice, was given ${result.delivered}`
        return failed('WRONG_GRANULARITY', what)
      }
      begun.attempt = 2
      startAgain()
    } else {
      begun.listingStarts += 1
      if (begun.listingStarts > MAX_LISTING_STARTS) {
        return failed('LISTING_INTERRUPTED', LISTING_INTERRUPTED)
      }
      startAgain()
    }
  }

  async function askPage(page: FetchPageInput) {
    const limits = turn.pageLimits()
    return keys.ask((client) => fetchPage({ ...deps, client }, page, limits))
  }
}

/** Asks for a page, and reports the page or its fault to the observer. */
async function askAndReport<T extends { kind: string; calls: number }>(
  ask: () => Promise<T>,
  { slice, step, page }: FetchPageInput,
  { runId, observe }: Pick<SliceFetch, 'runId' | 'observe'>,
): Promise<T> {
  const startedMs = performance.now()
  const tell = (facts: Pick<PageEvent, 'outcome' | 'calls' | 'rows' | 'bytes'>) => {
    const { dataset, sliceId } = slice
    const durationMs = performance.now() - startedMs
    return observe({ kind: 'page', runId, dataset, sliceId, step, page, ...facts, durationMs })
  }
  let result: T & { rowCount?: number; bytes?: number }
  try {
    result = await ask()
  } catch (error) {
    const { code: outcome, calls = 0 } = failureFactsOf(error)
    await tell({ outcome, calls, rows: 0, bytes: 0 })
    throw error
  }
  const { kind: outcome, calls, rowCount = 0, bytes = 0 } = result
  await tell({ outcome, calls, rows: rowCount, bytes })
  return result
}

function firstPage(slice: BatchSlice, { attempt, freshAfterMs }: BegunSlice): FetchPageInput {
  return {
    slice,
    step: 0,
    page: 1,
    attempt,
    observedAtMs: null,
    previousAskedAtMs: null,
    freshAfterMs,
  }
}
