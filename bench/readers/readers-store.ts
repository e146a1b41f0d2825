import { DAY_MS } from '../../config/values/duration.ts'
import { join } from 'node:path'
import pLimit from 'p-limit'
import type { Dataset, PageContext, Slice } from '../../datasets/dataset.ts'
import { datasetByName, datasets } from '../../datasets/index.ts'
import type { PlannedSlice } from '../../plan/planned-slice.ts'
import type { AnswerSource } from '../../service/answer-source.ts'
import { marketEntities, marketWindows } from '../../service/market/listing-batches.ts'
import { MARKET_PRESETS } from '../../service/market/market-spec.ts'
import type { MarketSpec } from '../../service/market/market-spec.ts'
import { createMarket } from '../../service/market/market.ts'
import { createSimulatedSource } from '../../service/simulated/simulated-source.ts'
import type { PageStage } from '../../stage/page-stage.ts'
import { remakePages } from '../../sinks/replay/remake-page.ts'
import { openStage } from '../../stage/open-stage.ts'
import type { FilledStore } from '../filled-store.ts'

/** Enough days for volatility and correlation, with a past that can be revised. */
const SPEC: Omit<MarketSpec, 'nowMs'> = {
  ...MARKET_PRESETS.tiny,
  coins: 3,
  dailyDays: 60,
  vsCurrencies: ['usd', 'eur'],
  seed: 5,
}
/** The two moments of loading, a day apart. At half past the hour the newest points still move. */
export const LOOKS_MS = [30, 31].map((day) => Date.UTC(2025, 11, day, 10, 37, 12))

/** Days of a series before now that are loaded, and the gap in them. */
const WINDOWS: Readonly<Record<string, { days: number; gap?: { from: number; to: number } }>> = {
  '5m': { days: 1 },
  '10m': { days: 1 },
  '1h': { days: 9, gap: { from: 5, to: 4 } },
  '1d': { days: 58, gap: { from: 20, to: 17 } },
}

/** Pages that are synced to the disk together. */
const AT_ONCE = 16
/** Every seventh point but the last is revised in the second answer. */
const REVISED_EVERY = 7
/** Odd values that a source may send: the sign of zero, the smallest and the largest double. */
const EDGES = [-0, Number.MIN_VALUE, Number.MAX_VALUE]

/**
 * Loads all datasets of a simulated market twice, a day apart, and publishes after each load. The store has provisional
 * and revised points, gaps, failed slices, and rows in quarantine.
 */
export async function loadMarketTwice(filled: FilledStore, folder: string): Promise<void> {
  const remake = remakePages({ datasets, maxHistoryDays: null })
  const stage = openStage({ dir: join(folder, 'stage'), keep: 'forever', remake })
  for (const [look, nowMs] of LOOKS_MS.entries()) {
    const source = createSimulatedSource({ ...SPEC, nowMs })
    try {
      await loadLook(filled, stage, { source, look, nowMs })
    } finally {
      await source.close()
    }
    const run = { runId: `run-${look}`, publishedAtMs: nowMs, coinlakeVersion: '0.0.0' }
    await filled.duckdb.publish(run)
    await filled.parquet.publish(run)
  }
}

interface Look {
  source: AnswerSource
  look: number
  nowMs: number
}

async function loadLook({ store }: FilledStore, stage: PageStage, at: Look): Promise<void> {
  const { look, nowMs } = at
  const runId = `run-${look}`
  const run = { runId, orderId: 'order', startedAtMs: nowMs, coinlakeVersion: '0.0.0' }
  const wanted = datasets.flatMap((dataset) => slicesOf(dataset, nowMs))
  await store.writePlan(run, wanted)
  const range = { lane: 0, lanes: 1, after: -1, limit: wanted.length }
  const slices = await store.nextSlices({ runId, ...range })
  const limit = pLimit(AT_ONCE)
  const isStaged = await Promise.all(
    slices.map((slice) => limit(() => stageSlice(stage, slice, at))),
  )
  const staged = slices.filter((_, place) => isStaged[place] === true)
  const failed = slices.filter((slice) => !staged.includes(slice))
  const reason = { code: 'SOURCE_NOT_FOUND', reason: 'the market does not know it' }
  await store.failSlices(
    runId,
    failed.map(({ ordinal }) => ({ ordinal, ...reason })),
  )
  await store.load({ runId, ordinals: staged.map(({ ordinal }) => ordinal), nowMs }, stage)
  await store.recordRequests(runId, [
    {
      requestId: `lost-${look}`,
      sliceId: slices[0]?.sliceId ?? '',
      operation: 'coins/list',
      url: 'http://127.0.0.1/v2/coins/list',
      status: null,
      code: 'SOURCE_TIMEOUT',
      requestedAtMs: nowMs,
      durationMs: 5_000,
      calls: 1,
    },
  ])
  const lost = wanted.filter(({ dataset }) => dataset === 'ohlc').slice(0, 1)
  const unreachable = lost.map((slice) => ({ ...slice, reason: 'source_reach' as const }))
  await store.noteUnreachable(() => lost, unreachable)
  await store.finishRun(runId, 'partial', nowMs)
}

/** The slices of a dataset at a moment. One is for a coin that the market does not have. */
function slicesOf(dataset: Dataset, nowMs: number): Slice[] {
  const market = createMarket({ ...SPEC, nowMs })
  const windows =
    dataset.kind === 'range'
      ? dataset.granularities.flatMap((granularity) => seriesWindows(granularity, nowMs))
      : marketWindows(dataset, market)
  const unknown = dataset.name === 'market_chart' ? ['no-such-coin'] : []
  const entities = [...marketEntities(dataset, market), ...unknown]
  const vsCurrencies = dataset.perCurrency ? SPEC.vsCurrencies : ['']
  return entities.flatMap((entity) =>
    vsCurrencies.flatMap((vsCurrency) =>
      windows.map((window) => ({ dataset: dataset.name, entity, vsCurrency, ...window })),
    ),
  )
}

/** Cuts series at midnight: both loads then have the same slices of the past. */
function seriesWindows(
  granularity: Slice['granularity'],
  nowMs: number,
): Pick<Slice, 'granularity' | 'fromMs' | 'toMs'>[] {
  const todayMs = Math.floor(LOOKS_MS[0]! / DAY_MS) * DAY_MS
  const { days, gap } = WINDOWS[granularity]!
  if (gap === undefined) return [{ granularity, fromMs: nowMs - days * DAY_MS, toMs: nowMs }]
  const back = (count: number): number => todayMs - count * DAY_MS
  return [
    { granularity, fromMs: back(days), toMs: back(gap.from) },
    { granularity, fromMs: back(gap.to), toMs: todayMs + DAY_MS },
  ]
}

/** Stages the answers to a slice. Returns whether the market had all of them. */
async function stageSlice(
  stage: PageStage,
  slice: PlannedSlice,
  { source, look, nowMs }: Look,
): Promise<boolean> {
  const dataset = datasetByName(slice.dataset)!
  const steps = dataset.steps(slice, { nowMs, attempt: 1, maxHistoryDays: null })
  const { sliceId, generation, ordinal: _, ...plain } = slice
  for (const [stepIndex, step] of steps.entries()) {
    const page = step.paging === 'until_short' ? { page: '1' } : {}
    const params = { ...step.params, ...page }
    const answered = await source.answer(step.operation, params)
    if (answered.kind !== 'json') return false
    const body = look === 0 ? odd(answered.body) : revised(odd(answered.body))
    const at = { page: 1, itemsBefore: 0, observedAtMs: nowMs, nowMs }
    const context: PageContext = { slice, step, stepIndex, ...at }
    const { tables, ...facts } = dataset.toTables(body, context)
    const isLast = stepIndex + 1 === steps.length
    await stage.write({
      facts: {
        ...facts,
        key: { sliceId, generation, step: stepIndex, page: 1 },
        slice: plain,
        operation: step.operation,
        url: `http://127.0.0.1/v2/${step.operation}`,
        status: 200,
        requestedAtMs: nowMs,
        fetchedAtMs: nowMs,
        durationMs: 1,
        calls: 1,
        observedAtMs: nowMs,
        next: isLast ? null : { step: stepIndex + 1, page: 1 },
      },
      rawBody: new TextEncoder().encode(JSON.stringify(body)),
      tables,
    })
  }
  return true
}

type Chart = Record<string, [number, unknown][]>

/** A body with extreme values, or with an invalid point. */
function odd(body: unknown): unknown {
  const listed = body as { high_24h?: unknown }[]
  if (Array.isArray(listed) && listed[0]?.high_24h !== undefined) {
    return listed.map((coin, place) => ({ ...coin, high_24h: EDGES[place] ?? coin.high_24h }))
  }
  const chart = body as Chart
  const first = chart['prices']?.[0]
  if (first === undefined) return body
  return { ...chart, prices: [[first[0], 'no number'], ...chart['prices']!.slice(1)] }
}

function revised(body: unknown): unknown {
  const chart = body as Chart
  const { prices } = chart
  if (prices === undefined) return body
  const changed = prices.map(([ms, price], at) => {
    const isChanged = at % REVISED_EVERY === 1 && at < prices.length - 1
    return [ms, isChanged && typeof price === 'number' ? price * 1.01 : price]
  })
  return { ...chart, prices: changed }
}
