import { DAY_MS } from '../../config/values/duration.ts'
import { expect, test } from 'vitest'
import type { Unreachable } from '../../plan/plan-slices.ts'
import { pendingUnreachable, unreachableHistory } from '../../plan/unreachable-history.ts'
import { planInput, testDataset, wantedOf } from './test-dataset.ts'

function lacking(fromDay: number, toDay: number, facts: Partial<Unreachable> = {}): Unreachable {
  return {
    dataset: 'ohlc',
    entity: 'bitcoin',
    vsCurrency: 'usd',
    granularity: '4h',
    fromMs: fromDay * DAY_MS,
    toMs: toDay * DAY_MS,
    reason: 'source_reach',
    ...facts,
  }
}

test('stretches add up by dataset, granularity and reason, with their series and bounds', () => {
  const { days, datasets } = unreachableHistory([
    lacking(10, 12),
    lacking(5, 5.5),
    lacking(1, 3, { reason: 'plan_limit' }),
    lacking(20, 24, { entity: 'ethereum' }),
    lacking(0, 1, { granularity: '30m' }),
  ])
  const none = { dataset: 'ohlc', selector: null, daysEach: null }
  const bounds = (from: number, to: number) => ({ fromMs: from * DAY_MS, toMs: to * DAY_MS })
  expect(days).toBe(9.5)
  expect(datasets).toEqual([
    { ...none, granularity: '4h', reason: 'source_reach', series: 2, days: 6.5, ...bounds(5, 24) },
    { ...none, granularity: '4h', reason: 'plan_limit', series: 1, days: 2, ...bounds(1, 3) },
    { ...none, granularity: '30m', reason: 'source_reach', series: 1, days: 1, ...bounds(0, 1) },
  ])
  expect(unreachableHistory([])).toEqual({ days: 0, datasets: [] })
})

test('of coins that are not chosen yet: of the N largest together, of others each', () => {
  const ohlc = testDataset({ name: 'ohlc', kind: 'trailing', reachMs: () => 30 * DAY_MS })
  const order = { dataset: 'ohlc', fromMs: 10 * DAY_MS, vsCurrencies: ['usd', 'eur'] }
  const choices = [{ top: 3 }, { category: 'layer-1' }, { all: true as const }, ['bitcoin']]
  const wanted = choices.map((entities) => wantedOf({ ...order, entities }))
  const input = planInput({ wanted, nowMs: 100 * DAY_MS, datasets: [ohlc] })
  // `all` is chosen already.
  const pending = pendingUnreachable(input, [{ top: 3 }, { category: 'layer-1' }])
  const told = pending.map(({ selector, series, days, daysEach }) => ({
    selector,
    series,
    days,
    daysEach,
  }))
  expect(told).toEqual([
    { selector: 'top:3', series: 6, days: 360, daysEach: 120 },
    { selector: 'category:layer-1', series: null, days: null, daysEach: 120 },
  ])
  const { days, datasets } = unreachableHistory([lacking(1, 3)], pending)
  expect(days).toBe(362)
  expect(datasets).toHaveLength(3)
})
