import { expect } from 'vitest'
import type { Dataset, PageContext } from '../../datasets/dataset.ts'
import { datasets } from '../../datasets/index.ts'
import { createMarket } from '../../service/market/market.ts'
import { MARKET_PRESETS } from '../../service/market/market-spec.ts'
import { createSimulatedSource } from '../../service/simulated/simulated-source.ts'
import { proofSlices } from './proof-slices.ts'

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
      for (const [stepIndex, step] of steps.entries()) {
        const answered = await source.answer(step.operation, step.params)
        if (answered.kind !== 'json') continue
        const body: unknown = JSON.parse(JSON.stringify(answered.body))
        const observedAtMs = Math.floor(nowMs / 1_000) * 1_000
        const at = { stepIndex, page: 1, itemsBefore: 0, observedAtMs, nowMs }
        const context = { slice, step, ...at }
        given.push({ dataset, body, context })
      }
    }
  }
  await source.close()
  expect(new Set(given.map(({ dataset }) => dataset.name)).size).toBe(datasets.length)
  return given
}
