import { DAY_MS } from '../../config/values/duration.ts'
import { tokenText } from '../../config/values/token-ref.ts'
import type { Table as ArrowTable } from 'apache-arrow'
import { floorTo } from '../../api/granularity.ts'
import type { Dataset, Slice } from '../../datasets/dataset.ts'
import { DERIVATIVE_EXCHANGES } from './derivative-bodies.ts'
import { observedAtMs } from './market.ts'
import type { Market } from './market-entries.ts'

/** Rows of one table with the dataset's own columns, without lineage. */
export interface MarketBatch {
  table: string
  rows: ArrowTable
}

/** The searches of this market: with one result, with many, and with none. */
const MARKET_QUERIES: readonly string[] = ['bitcoin', 'coin', 'defi', 'no such words']

/**
 * The rows that a dataset reads from the source's answers to its requests.
 *
 * @param entities default: all of the market
 * @param windows default: all of the market
 */
export function* listingBatches(
  dataset: Dataset,
  market: Market,
  entities?: readonly string[],
  windows?: readonly MarketWindow[],
): Generator<MarketBatch> {
  const { nowMs } = market.spec
  for (const slice of listingSlices(dataset, market, entities, windows)) {
    const steps = dataset.steps(slice, { nowMs, attempt: 1, maxHistoryDays: null })
    for (const step of steps) {
      const body = market.body(step.operation, step.params)
      // The body has the whole listing as one page, in the order of the step.
      yield* dataset.toTables(body, {
        slice,
        step,
        itemsBefore: 0,
        observedAtMs: observedAtMs(market),
        nowMs,
      }).tables
    }
  }
}

export function listingSlices(
  dataset: Dataset,
  market: Market,
  entities: readonly string[] = marketEntities(dataset, market),
  windows: readonly MarketWindow[] = marketWindows(dataset, market),
): Slice[] {
  const vsCurrencies = dataset.perCurrency ? market.spec.vsCurrencies : ['']
  return entities.flatMap((entity) =>
    vsCurrencies.flatMap((vsCurrency) =>
      windows.map((window) => ({ dataset: dataset.name, entity, vsCurrency, ...window })),
    ),
  )
}

export function marketEntities(dataset: Dataset, market: Market): readonly string[] {
  const { entity } = dataset
  if (entity === null) return ['']
  if (entity === 'query') return MARKET_QUERIES
  if (entity === 'token') return market.tokens.map(tokenText)
  const derivative = DERIVATIVE_EXCHANGES.map(({ id }) => id)
  if (entity === 'derivative_exchange') return derivative
  if (entity === 'exchange') {
    const spot = market.exchanges.map(({ id }) => id)
    const hasCharts = dataset.operations.includes('exchanges/{id}/volume_chart')
    return hasCharts ? [...spot, ...derivative] : spot
  }
  const ids = market.coins.map(({ id }) => id)
  return dataset.entitiesPerSlice === undefined ? ids : [ids.join(',')]
}

/** The day of a daily point that a request asks for: none where the chart has no point, and none for today. */
export function askedWindows({ spec }: Market, dayMs: number): MarketWindow[] {
  const isPast = dayMs < floorTo(spec.nowMs, '1d')
  return isPast && dayMs >= spec.nowMs - spec.dailyDays * DAY_MS ? [dayWindow(dayMs)] : []
}

function dayWindow(fromMs: number): MarketWindow {
  return { granularity: '', fromMs, toMs: fromMs + DAY_MS }
}

type MarketWindow = Pick<Slice, 'granularity' | 'fromMs' | 'toMs'>

function marketWindows(dataset: Dataset, { spec }: Market): MarketWindow[] {
  const todayMs = floorTo(spec.nowMs, '1d')
  const granularity = dataset.granularities[0] ?? ''
  if (dataset.kind === 'dated') {
    // Today has no row before it has passed.
    return Array.from({ length: spec.historyDays ?? 0 }, (_, days) =>
      dayWindow(todayMs - (days + 1) * DAY_MS),
    )
  }
  if (dataset.kind === 'trailing') {
    return dataset.granularities.map((step) => {
      return { granularity: step, fromMs: spec.nowMs - dataset.reachMs(step)!, toMs: spec.nowMs }
    })
  }
  return [{ granularity, fromMs: todayMs, toMs: todayMs + DAY_MS }]
}
