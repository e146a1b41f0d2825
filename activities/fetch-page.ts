import { randomUUID } from 'node:crypto'
import type { SourceAnswer } from '../api/client.ts'
import { operations } from '../api/operations.ts'
import type { RateState } from '../api/rate-headers.ts'
import { CoinlakeError } from '../config/coinlake-error.ts'
import { datasetByName } from '../datasets/index.ts'
import type { Dataset, PageTables, RequestStep } from '../datasets/dataset.ts'
import { isLastPage } from '../plan/listing-pages.ts'
import type { PageFacts, PageKey, StagedPage } from '../stage/page-stage.ts'
import type { FetchDeps } from './activity-deps.ts'
import type { FetchPageInput, FetchPageResult } from './activity-types.ts'
import { MissedBucketError } from './missed-bucket-error.ts'
import { noteLostRequest } from './lost-requests.ts'

/** A listing whose pages lie further apart than this is no single observation (design: "Snapshots"). */
const LISTING_MAX_AGE_MS = 10 * 60_000

/**
 * Fetches one page: permit, GET, parse, Arrow, stage. A page that is staged already answers by
 * itself, so that a retry or a crash never pays twice.
 *
 * @throws the source errors of api/, StageError.
 */
export async function fetchPage(
  deps: FetchDeps,
  input: FetchPageInput,
  signal: AbortSignal,
): Promise<FetchPageResult> {
  const { slice } = input
  const dataset = datasetByName(slice.dataset)
  if (dataset === undefined) throw new RangeError(`no such dataset: ${slice.dataset}`)
  const nowMs = deps.clock.nowMs()
  const steps = dataset.steps(slice, {
    nowMs,
    attempt: input.attempt,
    maxHistoryDays: deps.config.source.maxHistoryDays,
  })
  const step = steps[input.step]
  if (step === undefined) throw new RangeError(`${dataset.name} has no request step ${input.step}`)
  const key: PageKey = {
    sliceId: slice.sliceId,
    generation: slice.generation,
    step: input.step,
    page: input.page,
  }
  const stage = deps.stageAt(input.stageDir)
  const staged = await stage.find(key)
  if (
    staged !== null &&
    (input.freshAfterMs === null || staged.requestedAtMs >= input.freshAfterMs)
  ) {
    return resultOf(staged, 0, null)
  }
  // Local time on both sides: the source's clock may be anywhere.
  const requestedAtMs = Date.now()
  const startedAtMs = input.listingStartedAtMs ?? requestedAtMs
  if (requestedAtMs - startedAtMs > LISTING_MAX_AGE_MS) {
    return { kind: 'listing_stale', calls: 0 }
  }

  const answer = await ask(deps, input, step, signal)
  if (answer.kind === 'throttled') {
    return { kind: 'throttled', throttledUntilMs: answer.untilMs, calls: answer.calls }
  }
  const fetchedAtMs = answer.dateMs ?? deps.clock.nowMs()
  refuseLateSnapshot(dataset, input, fetchedAtMs, answer.url)
  const observedAtMs = input.observedAtMs ?? wholeSecond(fetchedAtMs)
  const tables = dataset.toTables(answer.json, {
    slice,
    step,
    stepIndex: input.step,
    page: input.page,
    observedAtMs,
    nowMs: fetchedAtMs,
  })
  if (isWrongGranularity(input, tables)) {
    const delivered = String(tables.deliveredGranularity)
    await noteLost(input, step, answer.url, {
      status: answer.status,
      code: 'WRONG_GRANULARITY',
      requestedAtMs,
      durationMs: answer.durationMs,
    })
    return { kind: 'wrong_granularity', delivered, calls: answer.calls }
  }
  const facts: PageFacts = {
    key,
    slice: plainSlice(slice),
    operation: step.operation,
    url: answer.url,
    status: answer.status,
    requestedAtMs,
    fetchedAtMs,
    durationMs: answer.durationMs,
    calls: answer.calls,
    observedAtMs,
    counts: tables.counts,
    rejected: tables.rejected,
    unknownPaths: tables.unknownPaths,
    itemCount: tables.itemCount,
    deliveredGranularity: tables.deliveredGranularity,
    next: nextPage(steps, input, tables),
  }
  const page = await stage.write({ facts, rawBody: answer.body, tables: tables.tables })
  return resultOf(page, answer.calls, answer.rate)
}

async function ask(
  deps: FetchDeps,
  input: FetchPageInput,
  step: RequestStep,
  signal: AbortSignal,
): Promise<SourceAnswer> {
  const params =
    step.paging === 'until_short' ? { ...step.params, page: String(input.page) } : step.params
  const requestedAtMs = Date.now()
  try {
    const answer = await deps.client.get(operations[step.operation], params, { signal })
    // No request left when the pacer itself said wait.
    if (answer.kind === 'throttled' && answer.calls > 0) {
      await noteLost(input, step, answer.url, {
        status: answer.status,
        code: 'THROTTLED',
        requestedAtMs,
        durationMs: Date.now() - requestedAtMs,
      })
    }
    return answer
  } catch (error) {
    if (error instanceof CoinlakeError && !signal.aborted) {
      const facts = 'facts' in error ? (error.facts as { url?: string; status?: number }) : {}
      await noteLost(input, step, facts.url ?? step.operation, {
        status: facts.status ?? null,
        code: error.code,
        requestedAtMs,
        durationMs: Date.now() - requestedAtMs,
      })
    }
    throw error
  }
}

function noteLost(
  input: FetchPageInput,
  step: RequestStep,
  url: string,
  facts: { status: number | null; code: string; requestedAtMs: number; durationMs: number },
): Promise<void> {
  return noteLostRequest(input.stageDir, {
    requestId: randomUUID(),
    sliceId: input.slice.sliceId,
    operation: step.operation,
    url,
    ...facts,
  })
}

/** Never store a daily answer as hourly: what was measured must be what the slice is for. */
function isWrongGranularity(input: FetchPageInput, tables: PageTables): boolean {
  const delivered = tables.deliveredGranularity
  return (
    delivered !== null && input.slice.granularity !== '' && delivered !== input.slice.granularity
  )
}

function nextPage(
  steps: readonly RequestStep[],
  input: FetchPageInput,
  tables: PageTables,
): { step: number; page: number } | null {
  const step = steps[input.step]
  const isPaged = step !== undefined && step.paging === 'until_short'
  if (isPaged && !isLastPage(tables.itemCount, step.perPage))
    return { step: input.step, page: input.page + 1 }
  return input.step + 1 < steps.length ? { step: input.step + 1, page: 1 } : null
}

function resultOf(page: StagedPage, calls: number, rate: RateState | null): FetchPageResult {
  return {
    kind: 'page',
    calls,
    itemCount: page.itemCount,
    rowCount: page.tables.reduce((rows, table) => rows + table.rowCount, 0),
    observedAtMs: page.observedAtMs,
    requestedAtMs: page.requestedAtMs,
    callsPerSecond: toldRate(rate),
    next: page.next,
  }
}

/** Calls a second that the headers allow; null unless they tell both the limit and the window. */
export function toldRate(rate: RateState | null): number | null {
  if (rate === null || rate.limit === null || rate.limit <= 0 || rate.windowMs === null) return null
  return (rate.limit / rate.windowMs) * 1000
}

/** A bucket that has ended is missed: today's values are never stored as yesterday's. */
function refuseLateSnapshot(
  dataset: Dataset,
  { slice }: FetchPageInput,
  fetchedAtMs: number,
  url: string,
): void {
  const isBucket = dataset.kind === 'snapshot' || dataset.kind === 'catalogue'
  if (!isBucket || fetchedAtMs < slice.toMs) return
  throw new MissedBucketError(
    `the bucket of ${dataset.name} that ended at ${new Date(slice.toMs).toISOString()} was answered only at ${new Date(fetchedAtMs).toISOString()}: GET ${url}`,
    { code: 'BUCKET_MISSED', hint: 'Run the same command again: it takes the bucket of now.' },
  )
}

function plainSlice(slice: FetchPageInput['slice']): PageFacts['slice'] {
  const { dataset, entity, vsCurrency, granularity, fromMs, toMs } = slice
  return { dataset, entity, vsCurrency, granularity, fromMs, toMs }
}

function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000
}
