import { expect } from 'vitest'
import { DAY_MS } from '../../config/values/duration.ts'
import type { Dataset, PageContext, Slice } from '../../datasets/dataset.ts'
import { datasets } from '../../datasets/index.ts'
import { listingSlices, marketEntities } from '../../service/market/listing-batches.ts'
import type { Market } from '../../service/market/market-entries.ts'
import { createMarket } from '../../service/market/market.ts'
import { MARKET_PRESETS } from '../../service/market/market-spec.ts'
import { createSimulatedSource } from '../../service/simulated/simulated-source.ts'

const SPEC = { ...MARKET_PRESETS.tiny, seed: 5, nowMs: Date.UTC(2024, 3, 5, 12, 34) }

/** A body that a market answers, and what it was asked for. */
export interface AnsweredBody {
  dataset: Dataset
  body: unknown
  context: PageContext
}

/** Bodies of every dataset, as JSON.parse gives them. */
export async function answeredBodies(): Promise<AnsweredBody[]> {
  const source = createSimulatedSource(SPEC)
  const market = createMarket(SPEC)
  const { nowMs } = SPEC
  const given: AnsweredBody[] = []
  for (const dataset of datasets) {
    for (const slice of proofSlices(dataset, market)) {
      const steps = dataset.steps(slice, { nowMs, attempt: 1, maxHistoryDays: null })
      for (const step of steps) {
        const answered = await source.answer(step.operation, step.params)
        if (answered.kind !== 'json') continue
        const body: unknown = JSON.parse(JSON.stringify(answered.body))
        const observedAtMs = Math.floor(nowMs / 1_000) * 1_000
        const at = { itemsBefore: 0, observedAtMs, nowMs }
        const context = { slice, step, ...at }
        given.push({ dataset, body, context })
      }
    }
  }
  await source.close()
  expect(new Set(given.map(({ dataset }) => dataset.name)).size).toBe(datasets.length)
  return given
}

/** Slices of each kind of thing a dataset is fetched for are this many at most. */
const MAX_ENTITIES = 2

/** A few slices of a dataset that a market has something to say to, one per granularity. */
function proofSlices(dataset: Dataset, market: Market): Slice[] {
  const { nowMs } = market.spec
  if (dataset.kind !== 'range' && dataset.kind !== 'trailing') {
    return listingSlices(dataset, market).slice(0, MAX_ENTITIES)
  }
  const toMs = Math.floor(nowMs / DAY_MS) * DAY_MS
  return marketEntities(dataset, market)
    .slice(0, MAX_ENTITIES)
    .flatMap((entity) =>
      dataset.granularities.map((granularity) => ({
        dataset: dataset.name,
        entity,
        vsCurrency: dataset.perCurrency ? market.spec.vsCurrencies[0]! : '',
        granularity,
        fromMs: toMs - DAY_MS,
        toMs: nowMs,
      })),
    )
}
