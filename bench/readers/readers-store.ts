import { DAY_MS } from '../../config/values/duration.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import { datasets } from '../../datasets/index.ts'
import { isOfBuckets } from '../../datasets/request/buckets.ts'
import type { AnswerSource } from '../../service/answer-source.ts'
import { MARKET_PRESETS, type MarketSpec } from '../../service/market/market-spec.ts'
import { createMarket } from '../../service/market/market.ts'
import { createSimulatedSource } from '../../service/simulated/simulated-source.ts'
import { openLake, type Lake } from '../../test/parts/lake.ts'
import { serveSource } from '../../test/parts/serve-source.ts'
import { orderLine, type OrderWindow } from '../../test/proof/market-orders.ts'

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

/** Days of a history, by its granularity. Candles are asked for beyond the reach of the source. */
const DAYS: Readonly<Record<string, number>> = { '': 3, '5m': 2, '10m': 2, '1h': 9, '1d': 58 }
const DAYS_OF_CANDLES = 400
/** Charts have no point between these days before the first look. */
const GAP = { from: 5, to: 4 }
/** A coin whose charts are not found. */
const LOST_COIN = 'tether'
/** Every seventh point but the last is revised in the second answer. */
const REVISED_EVERY = 7
/** Odd values that a source may send: the sign of zero, the smallest and the largest double. */
const EDGES = [-0, Number.MIN_VALUE, Number.MAX_VALUE]

/**
 * Exports all datasets of a simulated market twice, a day apart, and fetches a month again between. The store
 * has provisional and revised points, gaps, failed slices, and rows in quarantine. The caller removes the lake.
 */
export async function exportMarketTwice(): Promise<Lake> {
  const market = createMarket({ ...SPEC, nowMs: LOOKS_MS[1]! })
  const { source, goOn } = changingSource()
  const served = await serveSource(source)
  const lines = datasets.map((dataset) => ordersOf(dataset, market))
  const lake = openLake(served.url, lines, { engineDir: null })
  try {
    await run(lake, ['backfill'], 0)
    goOn()
    const [from, to] = [LOOKS_MS[0]! - 30 * DAY_MS, LOOKS_MS[0]!].map((ms) =>
      new Date(ms).toISOString(),
    )
    await run(lake, ['refetch', '--from', from!, '--to', to!], 1)
    await run(lake, ['backfill'], 1)
    return lake
  } catch (error) {
    await lake.remove()
    throw error
  } finally {
    await served.close()
    await source.close()
  }
}

async function run(lake: Lake, words: readonly string[], look: number): Promise<void> {
  const COINLAKE_NOW = new Date(LOOKS_MS[look]!).toISOString()
  const { code, stderr } = await lake.start(words, { COINLAKE_NOW }).ended
  // The slices of the lost coin fail.
  if (code !== 3) throw new Error(`${words[0]} ended with ${code}: ${stderr}`)
}

/** The simulated market at the first look, and at the second one after `goOn`. */
function changingSource(): { source: AnswerSource; goOn: () => void } {
  let look = 0
  const markets = LOOKS_MS.map((nowMs) => createSimulatedSource({ ...SPEC, nowMs }))
  const source: AnswerSource = {
    clock: { nowMs: () => LOOKS_MS[look]! },
    answer: async (operation, params) => {
      if (operation.includes('market_chart') && params['id'] === LOST_COIN) {
        return { kind: 'not_found' }
      }
      const answered = await markets[look]!.answer(operation, params)
      if (answered.kind !== 'json') return answered
      const body = odd(answered.body)
      return { kind: 'json', body: look === 0 ? body : revised(body) }
    },
    close: async () => {
      for (const one of markets) await one.close()
    },
  }
  return { source, goOn: () => (look = 1) }
}

/** The line of coinlake.yaml for all orders of a dataset. */
function ordersOf(dataset: Dataset, market: ReturnType<typeof createMarket>): string {
  if (isOfBuckets(dataset)) return orderLine(dataset, market)
  const steps: readonly OrderWindow['granularity'][] =
    dataset.granularities.length === 0 ? [''] : dataset.granularities
  const orders = steps.map((step) => {
    const days = DAYS[step] ?? DAYS_OF_CANDLES
    const line = orderLine(dataset, market, { granularity: step, days })
    return line.slice(`${dataset.name}: `.length)
  })
  return `${dataset.name}: [${orders.join(', ')}]`
}

type Chart = Record<string, [number, unknown][]>

/** A body with extreme values, or with an invalid point and a gap. */
function odd(body: unknown): unknown {
  const listed = body as { high_24h?: unknown }[]
  if (Array.isArray(listed) && listed[0]?.high_24h !== undefined) {
    return listed.map((coin, place) => ({ ...coin, high_24h: EDGES[place] ?? coin.high_24h }))
  }
  if (!Object.hasOwn(body as object, 'prices')) return body
  const daysBack = (ms: number): number => (LOOKS_MS[0]! - ms) / DAY_MS
  const chart = Object.entries(body as Chart).map(([key, points]): [string, Chart[string]] => [
    key,
    points.filter(([ms]) => daysBack(ms) < GAP.to || daysBack(ms) > GAP.from),
  ])
  const { prices = [], ...others } = Object.fromEntries(chart)
  return {
    ...others,
    prices: prices.map(([ms, price], at) => [ms, at === 0 ? 'no number' : price]),
  }
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
