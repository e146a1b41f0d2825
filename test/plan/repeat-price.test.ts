import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../config/values/duration.ts'
import { GRANULARITY_MS } from '../../api/granularity.ts'
import type { Dataset, RequestStep, Slice } from '../../datasets/dataset.ts'
import { datasets as realDatasets } from '../../datasets/index.ts'
import type { WantedDataset } from '../../plan/order.ts'
import { planSlices } from '../../plan/plan-slices.ts'
import { priceSlice } from '../../plan/price-slice.ts'
import { MONTH_MS, repeatPrice, type RepeatInput, usualTimes } from '../../plan/repeat-price.ts'
import { settlementOf } from '../../plan/settlement.ts'
import { planInput, testDataset, wantedOf } from './test-dataset.ts'

const NOW = Date.UTC(2024, 5, 15, 14, 30)

function step(facts: Partial<RequestStep>): RequestStep {
  return { operation: 'coins/markets', params: {}, paging: 'single', perPage: 0, ...facts }
}

const steps = () => [step({})]
const chart = testDataset({ name: 'chart', kind: 'range', steps })
const candles = testDataset({
  name: 'candles',
  kind: 'trailing',
  granularities: ['4h'],
  maxSliceMs: () => Infinity,
  reachMs: () => 30 * DAY_MS,
  settleMs: () => 290 * 60_000,
  lateMs: () => 255 * 60_000,
  isOfCandles: true,
  steps,
})
const days = testDataset({ name: 'days', kind: 'dated', granularities: [], steps })
const quotes = testDataset({
  name: 'quotes',
  kind: 'snapshot',
  entitiesPerSlice: 2,
  currenciesPerSlice: 10,
  steps,
})
const listing = testDataset({
  name: 'listing',
  kind: 'snapshot',
  entity: null,
  steps: () => [step({ paging: 'until_short', perPage: 250 })],
})
const datasets: Dataset[] = [chart, candles, days, quotes, listing]

/** Daily runs over lists of unknown length. */
const DAILY = {
  ...planInput({ nowMs: NOW, datasets }),
  lastReadingOf: () => null,
  runEveryMs: DAY_MS,
  monthlyCalls: null,
}

function month(wanted: WantedDataset, facts: Partial<RepeatInput> = {}) {
  return repeatPrice({ ...DAILY, wanted: [wanted], labels: [wanted.dataset], ...facts }).calls
}

const calls = (count: number) => ({ min: count, max: count })
const since = NOW - 400 * DAY_MS

describe('a month of runs costs', () => {
  const hourly = wantedOf({ dataset: 'chart', fromMs: since, entities: ['a', 'b'] })
  const daily = wantedOf({ ...hourly, granularity: '1d' })

  test('a call for each series that has moved on since the last run', () => {
    expect(month(hourly)).toEqual(calls(2 * 31))
    expect(month(hourly, { runEveryMs: HOUR_MS })).toEqual(calls(2 * 744))
    expect(month(daily)).toEqual(calls(2 * 31))
    expect(month(daily, { runEveryMs: HOUR_MS })).toEqual(calls(2 * 31))
  })

  test('a bucket of every snapshot that a run meets', () => {
    const wanted = wantedOf({ dataset: 'quotes', granularity: '', entities: ['a', 'b', 'c'] })
    expect(month({ ...wanted, everyMs: DAY_MS })).toEqual(calls(2 * 31))
    expect(month({ ...wanted, everyMs: DAY_MS }, { runEveryMs: HOUR_MS })).toEqual(calls(2 * 31))
    expect(month({ ...wanted, everyMs: HOUR_MS })).toEqual(calls(2 * 31))
    expect(month({ ...wanted, everyMs: HOUR_MS }, { runEveryMs: HOUR_MS })).toEqual(calls(2 * 744))
    // Weeks begin on Thursdays (the epoch was one); the 20th of June 2024 is the first.
    expect(month({ ...wanted, everyMs: 7 * DAY_MS })).toEqual(calls(2 * 4))
  })

  test('pages between bounds while the length of a list is not known', () => {
    const listing = { dataset: 'listing', granularity: '' as const, entities: [''] }
    const wanted = wantedOf({ ...listing, everyMs: DAY_MS })
    expect(month(wanted)).toEqual({ min: 31, max: 31 * 81 })
    expect(month(wanted, { lastReadingOf: () => ({ items: 501, pages: 4 }) })).toEqual(
      calls(31 * 4),
    )
  })

  test('between none and all of the coins that are still to be chosen', () => {
    const chosen = { universes: { 'top:3': ['a', 'b', 'c'] } }
    const top = wantedOf({ ...hourly, entities: { top: 3 }, vsCurrencies: ['usd', 'eur'] })
    expect(month(top)).toEqual({ min: 0, max: 3 * 2 * 31 })
    expect(month(top, chosen)).toEqual(calls(3 * 2 * 31))
    expect(month({ ...top, ignore: ['b'] }, chosen)).toEqual(calls(2 * 2 * 31))
    const snapshot = wantedOf({ ...top, dataset: 'quotes', granularity: '', everyMs: DAY_MS })
    expect(month(snapshot)).toEqual({ min: 0, max: 2 * 2 * 31 })
    expect(month(snapshot, chosen)).toEqual(calls(2 * 31))
  })
})

test('the whole is the sum of its datasets, and a share of the month', () => {
  const wanted = [
    wantedOf({ dataset: 'chart', fromMs: since }),
    wantedOf({ dataset: 'listing', granularity: '', entities: [''], everyMs: DAY_MS }),
  ]
  const labels = ['chart', 'listing/daily']
  const price = repeatPrice({ ...DAILY, wanted, labels, monthlyCalls: 1000 })
  expect(price.perDataset).toEqual([
    { dataset: 'chart', order: 'chart', calls: calls(31) },
    { dataset: 'listing', order: 'listing/daily', calls: { min: 31, max: 31 * 81 } },
  ])
  expect(price.calls).toEqual({ min: 62, max: 31 * 82 })
  expect(price.monthShare).toEqual({ min: 0.062, max: 2.542 })
})

/** Ends that are still to settle, where a history has one at all. */
function endsOf({ kind }: Dataset): (number | null)[] {
  const isHistory = kind !== 'snapshot' && kind !== 'catalogue'
  return isHistory ? [null, NOW - DAY_MS / 2, NOW + 3 * DAY_MS] : [null]
}

/** The month run by run, with every coin and currency, and a ledger of all slices as the store keeps it. */
function livedMonth(wanted: WantedDataset, dataset: Dataset, runEveryMs: number): number {
  const ledger: (Slice & { settledToMs: number; recheckAtMs: number | null })[] = []
  let sum = 0
  for (let nowMs = NOW; nowMs <= NOW + MONTH_MS; nowMs += runEveryMs) {
    const covered = ledger.map((slice) => {
      const isFresh = slice.recheckAtMs !== null && nowMs < slice.recheckAtMs
      return isFresh ? slice : { ...slice, toMs: slice.settledToMs }
    })
    const input = planInput({ wanted: [wanted], covered, nowMs, datasets: [dataset] })
    for (const slice of planSlices(input).slices) {
      const context = { nowMs, attempt: 1 as const, maxHistoryDays: null }
      if (nowMs > NOW) sum += priceSlice(slice, dataset, context, () => LISTED).calls.max
      const times = usualTimes(slice, nowMs, dataset)
      ledger.push({ ...slice, ...settlementOf(slice, nowMs, dataset, times) })
    }
  }
  return sum
}

/** The last length of every listing. */
const LISTED = { items: 300, pages: 3 }

describe.each([
  { runs: 'daily', runEveryMs: DAY_MS },
  { runs: 'six-hourly', runEveryMs: 6 * HOUR_MS },
])('$runs runs, lived through', ({ runEveryMs }) => {
  const tokens = ['ethereum/0xdac17f958d2ee523a2206206994597c13d831ec7', 'solana/abc']
  const exchanges = ['x', 'y']
  const entities = {
    coin: ['a', 'b'],
    exchange: exchanges,
    derivative_exchange: exchanges,
    token: tokens,
    query: ['q'],
  }
  const cases = [...realDatasets, candles].flatMap((dataset) =>
    (dataset.granularities.length === 0 ? ([''] as const) : dataset.granularities).flatMap(
      (granularity) =>
        endsOf(dataset).map((toMs) => {
          const settleMs = granularity === '' ? DAY_MS : 40 * GRANULARITY_MS[granularity]
          const wanted = wantedOf({
            dataset: dataset.name,
            entities: dataset.entity === null ? [''] : entities[dataset.entity],
            vsCurrencies: dataset.perCurrency ? ['usd', 'eur'] : [''],
            granularity,
            fromMs: NOW - DAY_MS - settleMs,
            toMs,
            everyMs: DAY_MS / 2,
          })
          return { name: dataset.name, granularity, toMs, wanted, dataset }
        }),
    ),
  )

  test.each(cases)('$name $granularity to $toMs: as told', ({ wanted, dataset }) => {
    const told = month(wanted, { datasets: [dataset], runEveryMs, lastReadingOf: () => LISTED })
    expect(told).toEqual(calls(livedMonth(wanted, dataset, runEveryMs)))
  })
})
