import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../config/values/duration.ts'
import type { Dataset, RequestStep, Slice, TableSpec } from '../../datasets/dataset.ts'
import { isListingEnd, listingPages } from '../../plan/listing-pages.ts'
import type { WantedDataset } from '../../plan/order.ts'
import { pendingSlices } from '../../plan/pending-slices.ts'
import { type PlanSlicesInput, planSlices } from '../../plan/plan-slices.ts'
import { type PlanPrice, type PriceInput, pricePlan } from '../../plan/price.ts'
import { planInput, testDataset, wantedOf } from './test-dataset.ts'

const NOW = Date.UTC(2024, 5, 15, 14, 30)

function step(facts: Partial<RequestStep>): RequestStep {
  return { operation: 'coins/markets', params: {}, paging: 'single', perPage: 0, ...facts }
}

function table(name: string, columns: number): TableSpec {
  const column = { type: 'double' as const, unit: null, description: '' }
  return {
    name,
    description: '',
    columns: Array.from({ length: columns }, (_, i) => ({ name: `c${i}`, ...column })),
    key: [],
    sort: [],
    load: 'facts',
    monthBy: null,
  }
}

const chart = testDataset({
  name: 'market_chart',
  kind: 'range',
  tables: [table('market_chart', 10)],
  steps: () => [step({ operation: 'coins/{id}/market_chart/range' })],
})
const markets = testDataset({
  name: 'coin_markets',
  kind: 'snapshot',
  entitiesPerSlice: 100,
  tables: [table('coin_markets', 30)],
  steps: (slice: Slice) => [
    step({
      paging: 'until_short',
      perPage: 250,
      params: slice.entity === '' ? {} : { ids: slice.entity },
    }),
  ],
})
const exchanges = testDataset({
  name: 'exchanges',
  kind: 'snapshot',
  entity: null,
  steps: () => [
    step({ operation: 'exchanges/list' }),
    step({ operation: 'exchanges', paging: 'until_short', perPage: 250 }),
  ],
})
const quotes = testDataset({
  name: 'price_quotes',
  kind: 'snapshot',
  entitiesPerSlice: 100,
  currenciesPerSlice: 10,
  steps: () => [step({ operation: 'simple/price' })],
})
const details = testDataset({
  name: 'coin_details',
  kind: 'snapshot',
  rowsPerSlice: 150,
  steps: () => [step({ operation: 'coins/{id}' })],
})
const history = testDataset({
  name: 'coin_history',
  kind: 'dated',
  rowsPerSlice: 64,
  granularities: [],
  steps: () => [step({ operation: 'coins/{id}/history' })],
})
const datasets: Dataset[] = [chart, markets, exchanges, quotes, details, history]

function price(wanted: PlanSlicesInput['wanted'], facts: Partial<PriceInput> = {}): PlanPrice {
  const input = planInput({ wanted, nowMs: NOW, datasets })
  const plan = planSlices(input)
  return pricePlan({
    slices: plan.slices,
    orders: plan.orders,
    labels: wanted.map(({ dataset }) => dataset),
    pending: { universes: plan.pendingUniverses, slices: pendingSlices(input, plan) },
    datasets,
    nowMs: NOW,
    maxHistoryDays: null,
    knownItems: [],
    rate: null,
    monthlyCalls: null,
    usedThisMonth: 0,
    sinks: [],
    keepsRaw: false,
    ...facts,
  })
}

const year = wantedOf({
  dataset: 'market_chart',
  entities: ['bitcoin', 'ethereum'],
  fromMs: NOW - 400 * DAY_MS,
  toMs: NOW - 35 * DAY_MS,
})
const snapshot = (entities: WantedDataset['entities']): typeof year =>
  wantedOf({ dataset: 'coin_markets', granularity: '', entities, everyMs: DAY_MS })
const listing = wantedOf({
  dataset: 'exchanges',
  granularity: '',
  entities: [''],
  vsCurrencies: [''],
})

describe('series', () => {
  test('calls are exact, rows are the points of the granularity', () => {
    const { calls, rows, minutes, month, perDataset } = price([year])
    expect(calls).toEqual({ min: 10, max: 10, exact: true })
    expect(rows).toBe(2 * 365 * 24)
    expect(minutes).toBeNull()
    expect(month).toBeNull()
    const calls10 = { min: 10, max: 10 }
    expect(perDataset).toMatchObject([
      { dataset: 'market_chart', slices: calls10, calls: { ...calls10, exact: true } },
    ])
    expect(perDataset[0]?.monthShare).toBeNull()
  })

  test('minutes at the rate, share of the month, and whether what is left is enough', () => {
    const facts = { rate: { calls: 30, perMs: 60_000 }, monthlyCalls: 100 }
    const { minutes, month } = price([year], { ...facts, usedThisMonth: 90 })
    expect(minutes?.min).toBeCloseTo(10 / 30)
    expect(minutes?.max).toBeCloseTo(10 / 30)
    expect(month).toEqual({ share: { min: 0.1, max: 0.1 }, isExceeded: false })
    expect(price([year], { ...facts, usedThisMonth: 91 }).month?.isExceeded).toBe(true)
  })

  test('bytes count the store, each publication and the raw bodies that stay', () => {
    const rows = 2 * 365 * 24
    const bytes = (facts: Partial<PriceInput>): number => price([year], facts).diskBytes
    expect(bytes({})).toBe(rows * 45)
    expect(bytes({ sinks: ['duckdb', 'parquet'] })).toBe(rows * (45 + 45 + 34))
    expect(bytes({ sinks: ['parquet'], keepsRaw: true })).toBe(rows * (45 + 34 + 40))
  })
})

describe('listings', () => {
  test('of unknown length have bounds', () => {
    expect(price([snapshot([''])]).calls).toEqual({ min: 1, max: 81, exact: false })
    expect(price([listing]).calls).toEqual({ min: 2, max: 10, exact: false })
    expect(price([listing]).perDataset[0]?.calls.exact).toBe(false)
  })

  test.each([
    { items: 0, pages: 1 },
    // A source that tells its count, one that does not, and one that grants smaller pages.
    { items: 17_892, pages: 72 },
    { items: 17_892, pages: 73 },
    { items: 17_892, pages: 180 },
  ])('of $items items cost $pages calls if it was so last time', ({ items, pages: calls }) => {
    const known = { dataset: 'coin_markets', entity: '', vsCurrency: 'usd', step: 0 }
    const knownItems = [{ ...known, items, pages: calls }]
    const result = price([snapshot([''])], { knownItems })
    expect(result.calls).toEqual({ min: calls, max: calls, exact: true })
    expect(result.rows).toBe(items)
  })

  test('of one step says nothing of another step or currency', () => {
    const knownItems = [
      { dataset: 'exchanges', entity: '', vsCurrency: '', step: 0, items: 700, pages: 4 },
      { dataset: 'coin_markets', entity: '', vsCurrency: 'eur', step: 0, items: 5, pages: 2 },
    ]
    expect(price([listing], { knownItems }).calls.exact).toBe(false)
    expect(price([snapshot([''])], { knownItems }).calls.exact).toBe(false)
  })

  test('of chosen coins hold at most those', () => {
    const result = price([snapshot(['bitcoin', 'ethereum'])])
    expect(result.calls).toEqual({ min: 1, max: 2, exact: false })
    expect(result.rows).toBe(2)
  })
})

describe('bodies that are no list', () => {
  const none = { granularity: '' as const, vsCurrencies: [''] }

  test('of a coin are a call each, and the rows that one is told to have', () => {
    const wanted = wantedOf({ ...none, dataset: 'coin_details', entities: ['a', 'b'] })
    expect(price([wanted])).toMatchObject({ calls: { min: 2, max: 2, exact: true }, rows: 300 })
    // The answer of an earlier call is one item, however many rows it became.
    const of = { dataset: 'coin_details', entity: 'a', vsCurrency: '', step: 0 }
    const known = { ...of, items: 1, pages: 1 }
    expect(price([wanted], { knownItems: [known] }).rows).toBe(300)
  })

  test('of a day are a call a day', () => {
    const range = { fromMs: NOW - 40 * DAY_MS, toMs: NOW - 30 * DAY_MS }
    const wanted = wantedOf({ ...none, dataset: 'coin_history', ...range })
    // Days begun and not whole, at both ends.
    expect(price([wanted])).toMatchObject({ calls: { min: 11, max: 11 }, rows: 11 * 64 })
  })
})

describe('quotes of several currencies', () => {
  const vsCurrencies = ['usd', 'eur', 'gbp']
  const ONE = { entities: ['a'], vsCurrencies: ['usd'] }
  const quoted = (entities: WantedDataset['entities']): typeof year =>
    wantedOf({ dataset: 'price_quotes', granularity: '', entities, vsCurrencies, everyMs: DAY_MS })

  test('are one call, and a row for each coin and currency', () => {
    const { calls, rows } = price([quoted(['bitcoin', 'ethereum'])])
    expect(calls).toEqual({ min: 1, max: 1, exact: true })
    expect(rows).toBe(2 * 3)
    const of = { dataset: 'price_quotes', entity: 'a,b', vsCurrency: vsCurrencies.join() }
    const known = { ...of, step: 0, items: 1, pages: 1 }
    expect(price([quoted(['a', 'b'])], { knownItems: [known] }).rows).toBe(1 * 3)
  })

  test('of coins still to be chosen may need a call for each currency', () => {
    const { max } = price([quoted({ top: 2 })]).calls
    const wanted = [quoted(['a', 'b'])]
    const some = planInput({ nowMs: NOW, datasets, wanted: [{ ...wanted[0]!, ...ONE }] })
    const { slices } = planSlices({ ...some, wanted, covered: planSlices(some).slices })
    expect(slices).toHaveLength(2)
    expect(1 + slices.length).toBeLessThanOrEqual(max)
  })
})

describe('coins still to be chosen', () => {
  const top = { ...year, entities: { top: 300 } }

  test('are priced from the choice alone to all of them', () => {
    const { calls, perDataset } = price([top, { ...year, entities: ['bitcoin'] }])
    expect(calls).toEqual({ min: 1 + 5, max: 2 + 5 + 300 * 5, exact: false })
    expect(perDataset.map(({ slices }) => slices)).toEqual([
      { min: 5, max: 5 },
      { min: 0, max: 300 * 5 },
    ])
    expect(perDataset[1]?.diskBytes).toBe(300 * 365 * 24 * 45)
  })

  test('of a category or of all, up to all coins that there can be', () => {
    const category = price([{ ...year, entities: { category: 'layer-1' } }])
    expect(category.calls).toEqual({ min: 1, max: 82 + 20_000 * 5, exact: false })
    const all = price([{ ...year, entities: { all: true } }, snapshot({ all: true })])
    expect(all.calls.min).toBe(1)
    expect(all.perDataset[0]).toMatchObject({
      slices: { min: 0, max: 20_000 * 5 },
      calls: { min: 0, max: 20_000 * 5 },
      rows: 20_000 * 365 * 24,
    })
    // Ids that fill a URL: at the most 28 of them share a slice.
    expect(all.perDataset[1]?.calls.max).toBeGreaterThanOrEqual(20_000 / 28)
  })

  test('the bounds hold whatever is chosen, however long its ids are', () => {
    const wanted = [top, snapshot({ top: 300 })]
    const { calls } = price(wanted)
    for (const length of [3, 20, 70]) {
      const ids = Array.from({ length: 300 }, (_, i) => `${i}`.padEnd(length, 'x'))
      const chosen = wanted.map((one) => ({ ...one, entities: ids }))
      const after = price(chosen).calls
      expect(after.max).toBeLessThanOrEqual(calls.max)
      expect(after.min).toBeGreaterThanOrEqual(calls.min - 2)
    }
  })
})

test('pages counted ahead are the pages a reader asks for', () => {
  for (const perPage of [50, 100, 250]) {
    for (let items = 0; items <= 1_000; items++) {
      const pagesAsked = (toldItems: number | null): number => {
        let [asked, itemsSoFar, itemCount] = [0, 0, 0]
        do {
          itemCount = Math.min(items - itemsSoFar, perPage)
          itemsSoFar += itemCount
          asked++
        } while (!isListingEnd({ itemCount, itemsSoFar, perPage, toldItems }))
        return asked
      }
      expect(listingPages(items, perPage)).toBe(pagesAsked(null))
      const isShortLast = items % perPage > 0
      expect(pagesAsked(items)).toBe(listingPages(items, perPage) - (isShortLast ? 1 : 0))
    }
  }
})
