import { SourceError } from '../../api/errors.ts'
import type { FetchDeps } from '../activity-deps.ts'
import type {
  BatchSlice,
  BegunSlice,
  FetchPageInput,
  FetchPageResult,
  SliceOutcome,
} from '../activity-types.ts'
import type { BatchTime } from './batch-time.ts'
import { failureFactsOf } from '../activity-failure.ts'
import { fetchPage } from './fetch-page.ts'
import type { LocalRun } from './key-ring.ts'
import { tryPage } from './page-tries.ts'
import { readCurrencies } from './read-currencies.ts'

export interface SliceFetch {
  deps: FetchDeps
  run: LocalRun
  turn: BatchTime
  runId: string
  /** Receives the bytes of each page. `isNew`: no earlier batch has counted the page. */
  onPage: (page: { bytes: number; isNew: boolean; throttledUntilMs: number | null }) => void
}

/** A listing may start this often; then its slice fails. */
const MAX_LISTING_STARTS = 3
const LISTING_INTERRUPTED = 'the listing was interrupted for over 10 minutes, 3 times'

export const NOT_BEGUN: BegunSlice = {
  attempt: 1,
  freshAfterMs: null,
  listingStarts: 1,
  tries: 0,
  pages: 0,
}

/**
 * Fetches the pages of one slice into the stage, one after the other. Staged pages are not requested again. At the end of
 * the batch an unfinished slice keeps its pages.
 *
 * @throws the fault, when a retry cannot help or the tries are used up.
 */
export async function fetchSlice(
  slice: BatchSlice,
  { onPage, ...fetch }: SliceFetch,
): Promise<SliceOutcome> {
  const { turn } = fetch
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
    Object.assign(begun, { freshAfterMs: Date.now(), pages: 0, tries: 0 })
    pages = 0
    rows = 0
    input = firstPage(slice, begun)
  }
  for (;;) {
    if (turn.isOver()) return unfinished()
    const result = await tryPage(() => askAndReport(input, fetch), begun, turn)
    if (result.kind === 'left') return unfinished(result.notBeforeMs)
    const isPage = result.kind === 'page'
    const isNew = isPage && pages >= begun.pages
    if (isNew) begun.tries = 0
    onPage({
      bytes: isPage ? result.bytes : 0,
      isNew,
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
      if (result.isLastWay) {
        const what = `asked for ${slice.granularity} points, was given ${result.delivered}`
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
}

/** Asks for a page, and reports the page or its fault to the observer. */
async function askAndReport(
  input: FetchPageInput,
  { deps, run, turn, runId }: Omit<SliceFetch, 'onPage'>,
): Promise<FetchPageResult> {
  const { slice, step, page } = input
  const refused = run.currencies.faultOf(slice)
  if (refused !== null) throw refused
  const pageCalls = turn.pageCalls()
  const startedMs = performance.now()
  const report = (outcome: string, { rowCount: rows = 0, bytes = 0 } = {}) => {
    const { dataset, sliceId } = slice
    const durationMs = performance.now() - startedMs
    const { callsMade: calls, leftOut } = pageCalls
    const of = { runId, dataset, sliceId, step, page, leftOut }
    return deps.observe({ kind: 'page', ...of, outcome, calls, rows, bytes, durationMs })
  }
  let result: FetchPageResult
  try {
    result = await run.keys.ask((client) => fetchPage({ ...deps, runId, client }, input, pageCalls))
  } catch (error) {
    const isEnd = turn.isEndReason(error)
    if (error instanceof SourceError && error.code === 'SOURCE_BAD_REQUEST') {
      const { stageDir } = deps
      const readList = () => readCurrencies(run.keys, { stageDir, runId }, slice.sliceId, pageCalls)
      await run.currencies.noteRefusal(slice, readList)
    }
    // A page that has only waited until the batch was over is no fault.
    if (!isEnd || pageCalls.callsMade > 0) {
      await report(isEnd ? 'ABORTED' : failureFactsOf(error).code)
    }
    throw error
  }
  if (result.kind === 'page') run.currencies.noteAnswer(slice)
  await report(result.kind, result.kind === 'page' ? result : {})
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
