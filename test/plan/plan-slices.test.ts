import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../config/values/duration.ts'
import type { Slice } from '../../datasets/dataset.ts'
import { type Interval, merge, subtract, totalMs } from '../../plan/intervals.ts'
import { type PlanSlicesInput, type SlicePlan, planSlices } from '../../plan/plan-slices.ts'
import { planInput, testDataset, wantedOf } from './test-dataset.ts'

const NOW = Date.UTC(2024, 5, 15, 14, 30)

const chart = testDataset({ name: 'market_chart', kind: 'range' })
const ohlc = testDataset({
  name: 'ohlc',
  kind: 'trailing',
  maxSliceMs: () => Infinity,
  reachMs: () => 30 * DAY_MS,
  isOfCandles: true,
})
const markets = testDataset({ name: 'coin_markets', kind: 'snapshot', entitiesPerSlice: 100 })
const tickers = testDataset({ name: 'exchange_tickers', kind: 'snapshot', entity: 'exchange' })
const quotes = testDataset({
  name: 'token_price_quotes',
  kind: 'snapshot',
  entity: 'token',
  granularities: [],
  entitiesPerSlice: 2,
  currenciesPerSlice: 3,
  sliceGroup: (entity) => entity.split('/')[0]!,
})
const coins = testDataset({ name: 'coins', kind: 'catalogue', entity: null, perCurrency: false })
const history = testDataset({ name: 'coin_history', kind: 'dated', granularities: [] })

function plan(input: Partial<PlanSlicesInput>): SlicePlan {
  const datasets = [chart, ohlc, markets, tickers, quotes, coins, history]
  return planSlices(planInput({ nowMs: NOW, datasets, ...input }))
}

function bounds(slices: readonly Slice[]): Interval[] {
  return slices.map(({ fromMs, toMs }) => ({ fromMs, toMs }))
}

describe('range', () => {
  const from = Date.UTC(2023, 0, 1)
  const year = wantedOf({ dataset: 'market_chart', fromMs: from, toMs: Date.UTC(2024, 0, 1) })

  test('a year of hours is cut from the left, the rest is last', () => {
    const { slices } = plan({ wanted: [year] })
    expect(slices.map((slice) => (slice.toMs - slice.fromMs) / DAY_MS)).toEqual([90, 90, 90, 90, 5])
    expect(slices[0]).toEqual({
      dataset: 'market_chart',
      entity: 'bitcoin',
      vsCurrency: 'usd',
      granularity: '1h',
      fromMs: from,
      toMs: from + 90 * DAY_MS,
    })
  })

  test('uncut: a slice for each hole', () => {
    const [whole] = plan({ wanted: [year] }).slices
    const covered = [{ ...whole!, fromMs: from + 100 * DAY_MS, toMs: from + 110 * DAY_MS }]
    const { slices } = plan({ wanted: [year], covered, uncut: true })
    expect(bounds(slices)).toEqual([
      { fromMs: from, toMs: from + 100 * DAY_MS },
      { fromMs: from + 110 * DAY_MS, toMs: Date.UTC(2024, 0, 1) },
    ])
  })

  const future = Date.UTC(2030, 0, 1)
  const hourEnd = Date.UTC(2024, 5, 15, 15)
  test.each([
    { what: 'null ends with the hour that holds now', to: null, end: hourEnd },
    { what: 'the future is clamped to it', to: future, end: hourEnd },
    {
      what: 'on the hour, that which begins holds now',
      to: future,
      end: hourEnd,
      nowMs: hourEnd - HOUR_MS,
    },
    { what: 'an end in the past stays', to: NOW - 2 * HOUR_MS, end: NOW - 2 * HOUR_MS },
  ])('to: $what', ({ to, end, nowMs = NOW }) => {
    const fromMs = Date.UTC(2024, 5, 1)
    const wanted = [wantedOf({ dataset: 'market_chart', fromMs, toMs: to })]
    expect(bounds(plan({ wanted, nowMs }).slices)).toEqual([{ fromMs, toMs: end }])
  })

  test('a start in the future plans nothing', () => {
    const wanted = [wantedOf({ dataset: 'market_chart', fromMs: NOW + DAY_MS })]
    expect(plan({ wanted })).toMatchObject({ slices: [], unreachable: [], pendingUniverses: [] })
  })

  test.each([
    { at: 'at 23:00', nowMs: Date.UTC(2024, 5, 15, 23), earliest: Date.UTC(2023, 5, 17) },
    // Within an hour the limit passes midnight: a run that has begun would be refused that day.
    { at: 'after 23:00', nowMs: Date.UTC(2024, 5, 15, 23, 0, 1), earliest: Date.UTC(2023, 5, 18) },
  ])(
    '$at, history before the plan limit is named once and not asked for',
    ({ nowMs, earliest }) => {
      const result = plan({ wanted: [year], nowMs, maxHistoryDays: 365 })
      expect(result.unreachable).toMatchObject([
        { reason: 'plan_limit', entity: 'bitcoin', fromMs: from, toMs: earliest },
      ])
      expect(result.slices[0]?.fromMs).toBe(earliest)
    },
  )

  test('a step that the reach of the source cuts is asked for, as it still holds points', () => {
    const reaching = { ...chart, reachMs: () => DAY_MS, maxSliceMs: () => Infinity }
    const wanted = [wantedOf({ dataset: 'market_chart', fromMs: from, toMs: NOW })]
    const result = plan({ wanted, nowMs: NOW + 1, datasets: [reaching] })
    const earliest = Math.floor((NOW - DAY_MS) / HOUR_MS) * HOUR_MS
    expect(bounds(result.slices)).toEqual([{ fromMs: earliest, toMs: NOW }])
    expect(result.unreachable).toMatchObject([{ fromMs: from, toMs: earliest }])
  })

  test('history loaded before the limit moved past it is not called unreachable', () => {
    const [first] = plan({ wanted: [year] }).slices
    const covered = [{ ...(first as Slice), fromMs: 0, toMs: NOW }]
    expect(plan({ wanted: [year], covered, maxHistoryDays: 365 }).unreachable).toEqual([])
  })

  test('the same series wanted twice is planned once', () => {
    expect(plan({ wanted: [year, year] })).toEqual(plan({ wanted: [year] }))
  })

  test('an unknown dataset is an error, not an empty plan', () => {
    expect(() => plan({ wanted: [wantedOf({ dataset: 'nothing' })] })).toThrow(/nothing/)
  })
})

describe('properties of a range plan', () => {
  const hours = fc.integer({ min: 0, max: 400 * 24 })
  const interval = fc
    .tuple(hours, hours)
    .map(([a, b]) => ({ fromMs: Math.min(a, b) * HOUR_MS, toMs: Math.max(a, b) * HOUR_MS }))
  const series = { dataset: 'market_chart', entity: 'bitcoin', vsCurrency: 'usd' }
  const asSlice = (bound: Interval): Slice => ({ ...series, granularity: '1h', ...bound })
  const planOf = (wanted: Interval, covered: readonly Slice[]): Slice[] =>
    plan({ wanted: [wantedOf({ dataset: 'market_chart', ...wanted })], covered }).slices

  test('slices tile exactly what is missing: no overlap, no gap, never longer than allowed', () => {
    fc.assert(
      fc.property(interval, fc.array(interval, { maxLength: 6 }), (wanted, loaded) => {
        const slices = bounds(planOf(wanted, loaded.map(asSlice)))
        expect(totalMs(merge(slices))).toBe(totalMs(slices))
        expect(totalMs([...slices, ...subtract([wanted], slices)])).toBe(totalMs([wanted]))
        expect(subtract([wanted], [...slices, ...loaded])).toEqual([])
        expect(subtract(slices, subtract([wanted], loaded))).toEqual([])
        for (const slice of slices) {
          expect(slice.toMs - slice.fromMs).toBeLessThanOrEqual(90 * DAY_MS)
        }
      }),
    )
  })

  test('resumed after any subset of its slices, a plan asks for exactly the others, cut the same', () => {
    fc.assert(
      fc.property(interval, fc.infiniteStream(fc.boolean()), (wanted, coin) => {
        const whole = planOf(wanted, [])
        const done = whole.filter(() => coin.next().value)
        const rest = planOf(wanted, done)
        // A hole starts where one of its slices started, so cutting it again makes the same cuts.
        expect(rest).toEqual(whole.filter((slice) => !done.includes(slice)))
      }),
    )
  })

  test('a widened range leaves what is loaded as it was cut and adds only the new ends', () => {
    fc.assert(
      fc.property(interval, interval, (inner, outer) => {
        const loaded = planOf(inner, [])
        const wide = {
          fromMs: Math.min(inner.fromMs, outer.fromMs),
          toMs: Math.max(inner.toMs, outer.toMs),
        }
        const added = bounds(planOf(wide, loaded))
        expect(subtract(added, subtract([wide], bounds(loaded)))).toEqual([])
        expect(subtract([wide], [...added, ...bounds(loaded)])).toEqual([])
        expect(planOf(wide, [...loaded, ...added.map(asSlice)])).toEqual([])
      }),
    )
  })
})

describe('trailing', () => {
  const WHAT = 'what the source no longer reaches is named; the rest is one slice on the grid'
  test.each([
    { when: 'on time', bucketNowMs: NOW, earliest: Date.UTC(2024, 4, 16, 16) },
    { when: '14 h late', bucketNowMs: NOW + 14 * HOUR_MS, earliest: Date.UTC(2024, 4, 17, 8) },
  ])(`${WHAT}, $when`, ({ bucketNowMs, earliest }) => {
    const from = Date.UTC(2024, 0, 1)
    const result = plan({
      wanted: [wantedOf({ dataset: 'ohlc', granularity: '4h', fromMs: from })],
      bucketNowMs,
      maxHistoryDays: 365,
    })
    expect(result.unreachable).toMatchObject([
      { reason: 'source_reach', fromMs: from, toMs: earliest },
    ])
    expect(bounds(result.slices)).toEqual([{ fromMs: earliest, toMs: Date.UTC(2024, 5, 15, 12) }])
  })
})

describe('dated', () => {
  test('whole days, none that is not over', () => {
    const days = { fromMs: Date.UTC(2024, 5, 12, 9), toMs: Date.UTC(2030, 0, 1) }
    const wanted = [wantedOf({ dataset: 'coin_history', granularity: '', ...days })]
    expect(bounds(plan({ wanted }).slices)).toEqual(
      [12, 13, 14].map((day) => ({
        fromMs: Date.UTC(2024, 5, day),
        toMs: Date.UTC(2024, 5, day + 1),
      })),
    )
  })
})

describe('snapshots and catalogues', () => {
  const day = { fromMs: Date.UTC(2024, 5, 15), toMs: Date.UTC(2024, 5, 16) }
  const snapshot = (entities: string[]) =>
    wantedOf({ dataset: 'coin_markets', granularity: '', entities, everyMs: DAY_MS })
  const entities = (input: Partial<PlanSlicesInput>): string[] =>
    plan(input).slices.map(({ entity }) => entity)

  test('the bucket that holds now, once', () => {
    const wanted = [snapshot([''])]
    const { slices } = plan({ wanted })
    expect(slices).toEqual([
      { dataset: 'coin_markets', entity: '', vsCurrency: 'usd', granularity: '1d', ...day },
    ])
    expect(plan({ wanted, covered: slices }).slices).toEqual([])
    expect(plan({ wanted, covered: slices, nowMs: NOW + DAY_MS }).slices).toHaveLength(1)
  })

  test('an hourly bucket, before a daily one', () => {
    const wanted = [
      wantedOf({ dataset: 'coins', granularity: '', entities: [''], vsCurrencies: [''] }),
      { ...snapshot(['']), everyMs: HOUR_MS },
    ]
    expect(bounds(plan({ wanted }).slices)).toEqual([
      { fromMs: Date.UTC(2024, 5, 15, 14), toMs: Date.UTC(2024, 5, 15, 15) },
      day,
    ])
  })

  test('chosen coins share a slice, at most a hundred and no URL too long', () => {
    const ids = Array.from({ length: 250 }, (_, i) => `coin-${i}`)
    const texts = entities({ wanted: [snapshot(ids)] })
    expect(texts.map((text) => text.split(',').length)).toEqual([100, 100, 50])
    expect(texts.join(',')).toBe(ids.join(','))
    const long = Array.from({ length: 100 }, (_, i) => `${'x'.repeat(66)}-${i}`)
    const longTexts = entities({ wanted: [snapshot(long)] })
    expect(longTexts.join(',')).toBe(long.join(','))
    expect(Math.max(...longTexts.map((text) => text.length))).toBeLessThanOrEqual(2_000)
  })

  test('a coin added later asks for that coin only; the whole market covers every coin', () => {
    const first = plan({ wanted: [snapshot(['a', 'b'])] }).slices
    expect(entities({ wanted: [snapshot(['b', 'c', 'a'])], covered: first })).toEqual(['c'])
    const whole = plan({ wanted: [snapshot([''])] }).slices
    expect(entities({ wanted: [snapshot(['a', 'b'])], covered: whole })).toEqual([])
    expect(entities({ wanted: [snapshot([''])], covered: first })).toEqual([''])
  })

  describe('of several currencies and groups', () => {
    const TOKENS = ['eth/1', 'eth/2', 'sol/1', 'eth/3']
    const prices = (vsCurrencies: string[], tokens = TOKENS) =>
      wantedOf({
        dataset: 'token_price_quotes',
        granularity: '',
        entities: tokens,
        vsCurrencies,
        everyMs: DAY_MS,
      })
    const asked = (input: Partial<PlanSlicesInput>): string[] =>
      plan(input).slices.map(({ entity, vsCurrency }) => `${entity} ${vsCurrency}`)

    test('ids share a slice within their group, currencies share it up to the limit', () => {
      expect(asked({ wanted: [prices(['usd', 'eur'])] })).toEqual([
        'eth/1,eth/2 usd,eur',
        'eth/3 usd,eur',
        'sol/1 usd,eur',
      ])
      const many = ['usd', 'eur', 'gbp', 'jpy']
      expect(asked({ wanted: [prices(many, ['sol/1'])] })).toEqual([
        'sol/1 usd,eur,gbp',
        'sol/1 jpy',
      ])
    })

    test('what is there counts for each id and each currency', () => {
      const first = plan({ wanted: [prices(['usd', 'eur'])] }).slices
      expect(asked({ wanted: [prices(['eur', 'usd'])], covered: first })).toEqual([])
      expect(asked({ wanted: [prices(['usd', 'eur', 'gbp', 'jpy'])], covered: first })).toEqual([
        'eth/1,eth/2 gbp,jpy',
        'eth/3 gbp,jpy',
        'sol/1 gbp,jpy',
      ])
      const more = prices(['usd', 'gbp'], [...TOKENS, 'sol/2'])
      expect(asked({ wanted: [more], covered: first })).toEqual([
        'sol/2 usd',
        'eth/1,eth/2 gbp',
        'eth/3 gbp',
        'sol/1,sol/2 gbp',
      ])
      expect(asked({ wanted: [more], covered: first, nowMs: NOW + DAY_MS })).toHaveLength(3)
    })
  })

  test('one slice an exchange where the operation takes no list', () => {
    const wanted = [
      wantedOf({ dataset: 'exchange_tickers', granularity: '', entities: ['gdax', 'kraken'] }),
    ]
    expect(entities({ wanted })).toEqual(['gdax', 'kraken'])
  })
})

describe('order and universes', () => {
  test('what perishes comes first, then series by series, oldest first', () => {
    const { slices } = plan({
      wanted: [
        wantedOf({
          dataset: 'market_chart',
          entities: ['bitcoin', 'ethereum'],
          vsCurrencies: ['usd', 'eur'],
          fromMs: Date.UTC(2024, 0, 1),
        }),
        wantedOf({ dataset: 'ohlc', granularity: '4h', fromMs: Date.UTC(2024, 5, 1) }),
        wantedOf({ dataset: 'coins', granularity: '', entities: [''], vsCurrencies: [''] }),
      ],
    })
    expect(slices.map((s) => [s.dataset, s.entity, s.vsCurrency].join(' ').trim())).toEqual([
      'coins',
      'ohlc bitcoin usd',
      ...['bitcoin usd', 'bitcoin eur', 'ethereum usd', 'ethereum eur'].flatMap((series) => [
        `market_chart ${series}`,
        `market_chart ${series}`,
      ]),
    ])
    expect(slices[3]?.fromMs).toBe(slices[2]?.toMs)
  })

  test('a selector that is not chosen yet is named once; chosen, it is its coins', () => {
    const wanted = [
      wantedOf({ dataset: 'market_chart', entities: { top: 2 }, fromMs: NOW - 2 * DAY_MS }),
      wantedOf({ dataset: 'ohlc', granularity: '4h', entities: { top: 2 }, fromMs: NOW - DAY_MS }),
    ]
    expect(plan({ wanted })).toMatchObject({
      slices: [],
      unreachable: [],
      pendingUniverses: [{ top: 2 }],
    })
    const category = wantedOf({ dataset: 'market_chart', entities: { category: 'layer-1' } })
    const all = wantedOf({ dataset: 'market_chart', entities: { all: true } })
    const several = [...wanted, category, all, category, all]
    expect(plan({ wanted: several }).pendingUniverses).toEqual([
      { top: 2 },
      { category: 'layer-1' },
      { all: true },
    ])
    const some = plan({ wanted: several, universes: { 'category:layer-1': ['solana'] } })
    expect(some.pendingUniverses).toEqual([{ top: 2 }, { all: true }])
    expect(new Set(some.slices.map(({ entity }) => entity))).toEqual(new Set(['solana']))
    const chosen = plan({ wanted, universes: { 'top:2': ['bitcoin', 'ethereum'] } })
    expect(chosen.pendingUniverses).toEqual([])
    expect(chosen.slices.map(({ entity }) => entity)).toEqual([
      'bitcoin',
      'ethereum',
      'bitcoin',
      'ethereum',
    ])
  })
})
