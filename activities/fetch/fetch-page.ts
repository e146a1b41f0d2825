import { isDeepStrictEqual } from 'node:util'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import { isOfBuckets } from '../../datasets/request/buckets.ts'
import { CoinlakeError, EXIT } from '../../config/coinlake-error.ts'
import { DAY_MS } from '../../config/values/duration.ts'
import { runLongStep, timeLongStep } from '../../config/long-step.ts'
import { mayBeCrowded, refuseCrowded } from '../../datasets/record/crowded-objects.ts'
import { datasetByName } from '../../datasets/index.ts'
import type { Dataset, PageContext, PageTables, RequestStep } from '../../datasets/dataset.ts'
import { isListingEnd } from '../../plan/listing-pages.ts'
import type { PageFacts, PageKey, StagedPage } from '../../stage/page-stage.ts'
import type { PageDeps } from '../activity-deps.ts'
import type { FetchPageInput, FetchPageResult } from '../activity-types.ts'
import type { PageCalls } from './batch-time.ts'
import type { GoodAnswer, SourceRequest } from './ask-source.ts'
import { askWithAcceptedParams } from './ask-accepted.ts'
import { removedDatasetError } from '../plan/removed-datasets.ts'
import { confirmEnd, emptyLastPage, repeatsPageBefore } from './listing-end.ts'

/** Larger answers take tens of milliseconds to read, so other work goes on before their rows are made. */
const LARGE_BODY_BYTES = 1024 * 1024
/** A listing with a longer gap between two pages is no single observation. A whole listing may take longer. */
const MAX_GAP_MS = 10 * 60_000

/**
 * Fetches one page: permit, GET, parse, Arrow, stage. A staged page needs no call, so no page is paid twice.
 *
 * @throws the source errors of api/, TooLateError, StageError, ConfigError DATASET_GONE.
 */
export async function fetchPage(
  deps: PageDeps,
  input: FetchPageInput,
  pageCalls: PageCalls,
): Promise<FetchPageResult> {
  const { slice } = input
  const dataset = datasetByName(slice.dataset)
  if (dataset === undefined) throw removedDatasetError(slice.dataset)
  const nowMs = deps.clock.nowMs()
  const { maxHistoryDays } = deps.config.source
  const stepsOf = (attempt: 1 | 2) => dataset.steps(slice, { nowMs, attempt, maxHistoryDays })
  const steps = stepsOf(input.attempt)
  const step = steps[input.step]
  if (step === undefined) throw new RangeError(`${dataset.name} has no request step ${input.step}`)
  const { sliceId, generation } = slice
  const key: PageKey = { sliceId, generation, step: input.step, page: input.page }
  const { stage } = deps
  const staged = await stage.find(key)
  if (staged !== null && isOfThisListing(staged, input)) return { ...resultOf(staged), bytes: 0 }
  // Before the call too: a run that was paused over midnight must not pay for past buckets.
  const unasked = `${step.operation} was not requested`
  refuseLateSnapshot(dataset, input, nowMs, unasked)
  if (!isOfBuckets(dataset)) {
    const keyMs = nowMs - (maxHistoryDays ?? Infinity) * DAY_MS
    const sourceMs = nowMs - (dataset.reachMs(slice.granularity) ?? Infinity)
    // A source answers with the rest of a slice; a key's plan refuses it.
    refuseMovedReach(input, slice.toMs <= sourceMs ? sourceMs : keyMs, unasked)
  }
  // Both times are local: the source's clock may be wrong.
  if (input.previousAskedAtMs !== null && Date.now() - input.previousAskedAtMs > MAX_GAP_MS) {
    return { kind: 'listing_stale' }
  }

  await stage.requireRoom()
  const params =
    step.paging === 'until_short' ? { ...step.params, page: String(input.page) } : step.params
  const request = { sliceId, operation: step.operation, params }
  const isLastWay = () => isDeepStrictEqual(stepsOf(2), steps)
  const asked = { dataset, input, steps, isLastWay, step, key, request, pageCalls }
  return askWithAcceptedParams(deps, request, pageCalls, (answer, accepted) =>
    stageAnswer(deps, asked, answer, accepted),
  )
}

/** A page for which a request was sent. */
interface AskedPage {
  dataset: Dataset
  input: FetchPageInput
  steps: readonly RequestStep[]
  /** Whether attempt 2 would send the same requests. */
  isLastWay: () => boolean
  step: RequestStep
  key: PageKey
  request: SourceRequest
  pageCalls: PageCalls
}

/** Makes rows of an answer, judges them, and stages the page. */
async function stageAnswer(
  deps: PageDeps,
  { dataset, input, steps, isLastWay, step, key, request, pageCalls }: AskedPage,
  answer: GoodAnswer,
  accepted: ParamValues,
): Promise<FetchPageResult> {
  const { stage, clock } = deps
  const answeredAtMs = answer.dateMs ?? clock.nowMs()
  refuseLateSnapshot(dataset, input, answeredAtMs, `GET ${answer.url}`)
  const observedAtMs = input.observedAtMs ?? wholeSecond(answeredAtMs)
  // The source's clock may run ahead: points of the current hour would then count as settled.
  const fetchedAtMs = Math.min(answeredAtMs, clock.nowMs())
  const before = input.page === 1 ? null : await stage.find({ ...key, page: input.page - 1 })
  const itemsBefore = before?.itemsSoFar ?? (input.page - 1) * step.perPage
  const { slice } = input
  const context = { slice, step, itemsBefore, observedAtMs, nowMs: fetchedAtMs }
  let tables = await rowsOf(answer, dataset, context)
  if (isWrongGranularity(input, tables)) {
    await answer.recordLost('WRONG_GRANULARITY')
    const delivered = String(tables.deliveredGranularity)
    return { kind: 'wrong_granularity', delivered, isLastWay: isLastWay() }
  }
  if (await repeatsPageBefore(stage, key, before, dataset.name, tables, answer.url)) {
    const first = input.page === 2 ? before : await stage.find({ ...key, page: 1 })
    const [items, firstItems] = [tables.itemCount, first?.itemCount ?? 0]
    const page = { number: input.page, answer, items, firstItems, perPage: step.perPage }
    const wait = await confirmEnd(deps, request, pageCalls, page)
    if (wait !== null) return wait
    tables = emptyLastPage(tables)
  }
  const { tables: rows, ...results } = tables
  const { itemCount } = results
  const { url, status, requestedAtMs, durationMs, calls, toldItems } = answer
  const itemsSoFar = itemsBefore + itemCount
  const isEnd = isListingEnd({ itemCount, itemsSoFar, perPage: step.perPage, toldItems })
  const facts: PageFacts = {
    ...results,
    key,
    slice: plainSlice(slice),
    operation: step.operation,
    url,
    status,
    requestedAtMs,
    fetchedAtMs,
    durationMs,
    calls,
    observedAtMs,
    itemsSoFar,
    toldItems,
    next: nextPage(steps, input, isEnd || accepted['page'] === undefined),
  }
  // The parsed body is far larger than its rows, and sixteen pages may wait for the disk.
  answer.json = undefined
  const { body: rawBody, encoded } = answer
  return resultOf(await stage.write({ facts, rawBody, encoded, tables: rows }))
}

/** Rows of a smaller answer are made in the turn that parsed it, so no parsed answer waits while others are read. */
function rowsOf(
  answer: GoodAnswer,
  dataset: Dataset,
  context: PageContext,
): PageTables | Promise<PageTables> {
  const sizeBytes = answer.body.byteLength
  const makeRows = sizeBytes > LARGE_BODY_BYTES ? runLongStep : timeLongStep
  return makeRows(
    () => `rows of ${dataset.name} from GET ${answer.url} (${sizeBytes} bytes)`,
    () => {
      if (mayBeCrowded(answer.body)) refuseCrowded(answer.json)
      return dataset.toTables(answer.json, context)
    },
  )
}

/** Whether a staged page belongs to this reading of the listing, not to an earlier one. */
function isOfThisListing(staged: StagedPage, input: FetchPageInput): boolean {
  const { freshAfterMs, observedAtMs } = input
  if (freshAfterMs !== null && staged.requestedAtMs < freshAfterMs) return false
  return observedAtMs === null || staged.observedAtMs === observedAtMs
}

/** Whether the answer has another granularity than the slice. A daily answer must not be stored as hourly. */
function isWrongGranularity(input: FetchPageInput, tables: PageTables): boolean {
  const delivered = tables.deliveredGranularity
  return (
    delivered !== null && input.slice.granularity !== '' && delivered !== input.slice.granularity
  )
}

function nextPage(
  steps: readonly RequestStep[],
  input: FetchPageInput,
  isLast: boolean,
): { step: number; page: number } | null {
  const { step, page } = input
  if (steps[step]?.paging === 'until_short' && !isLast) return { step, page: page + 1 }
  return input.step + 1 < steps.length ? { step: input.step + 1, page: 1 } : null
}

export function resultOf(page: StagedPage): Extract<FetchPageResult, { kind: 'page' }> {
  return {
    kind: 'page',
    itemCount: page.itemCount,
    rowCount: page.tables.reduce((rows, table) => rows + table.rowCount, 0),
    bytes: page.body.sizeBytes,
    observedAtMs: page.observedAtMs,
    requestedAtMs: page.requestedAtMs,
    next: page.next,
  }
}

/** Refuses a bucket that is over: today's values must not be stored as yesterday's. */
function refuseLateSnapshot(
  dataset: Dataset,
  { slice }: FetchPageInput,
  atMs: number,
  where: string,
): void {
  if (!isOfBuckets(dataset) || atMs < slice.toMs) return
  throw new TooLateError(
    `the bucket of ${dataset.name} ended at ${new Date(slice.toMs).toISOString()}, and it was ${new Date(atMs).toISOString()}: ${where}`,
    { code: 'BUCKET_MISSED', hint: 'Run the same command again: it fetches the current bucket.' },
  )
}

/** Refuses history that source and key reached at the start of this run: their limit moves on with the time. */
function refuseMovedReach({ slice }: FetchPageInput, earliestMs: number, where: string): void {
  if (slice.fromMs >= earliestMs) return
  throw new TooLateError(
    `source and key reach back to ${new Date(earliestMs).toISOString()} by now, and the slice begins at ${new Date(slice.fromMs).toISOString()}: ${where}`,
    {
      code: 'REACH_MOVED_ON',
      hint: 'Run the same command again: it fetches what they reach.',
    },
  )
}

function plainSlice(slice: FetchPageInput['slice']): PageFacts['slice'] {
  const { dataset, entity, vsCurrency, granularity, fromMs, toMs } = slice
  return { dataset, entity, vsCurrency, granularity, fromMs, toMs }
}

function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000
}

/** A request comes too late: the bucket is over, or the reach of source or key has moved on. Fails the slice, not the run. */
export class TooLateError extends CoinlakeError {
  override readonly exitCode = EXIT.gaps
}
