import {
  anything,
  assert,
  constantFrom,
  dictionary,
  double,
  jsonValue,
  oneof,
  property,
  record,
  string,
  uniqueArray,
} from 'fast-check'
import { describe, expect, test } from 'vitest'
import { coinMarkets } from '../../datasets/coin-markets.ts'
import { coins } from '../../datasets/coins.ts'
import type { Dataset, Slice } from '../../datasets/dataset.ts'
import { exchangeRates } from '../../datasets/exchange-rates.ts'
import { exchangeTickers } from '../../datasets/exchange-tickers.ts'
import { jsonText } from '../../datasets/json-text.ts'
import type { OperationId, ParamValues } from '../../api/operation.ts'
import { pageOf } from './context.ts'
import { Warehouse } from './warehouse.ts'

const NOW = Date.UTC(2030, 0, 1)

const TICKER = {
  base: 'BTC',
  target: 'USDT',
  market: { name: 'Binance', identifier: 'binance', has_trading_incentive: false },
  last: 1.5,
  volume: 2.5,
  converted_last: { btc: 1, eth: 20, usd: 70_000 },
  converted_volume: { btc: 2, eth: 40, usd: 140_000 },
  trust_score: null,
  timestamp: '2024-04-08T04:02:01+00:00',
  is_stale: false,
  coin_id: 'bitcoin',
}
const MARKET = {
  id: 'bitcoin',
  symbol: 'btc',
  name: 'Bitcoin',
  current_price: 70_187,
  market_cap_rank: 1,
  ath_date: '2024-03-14T07:10:36.635Z',
  roi: { times: 104.8, currency: 'btc', percentage: 10_481.6 },
  last_updated: '2024-04-07T16:49:31.736Z',
}

/** Texts that readers get wrong: other types in disguise, half characters, non-BMP, controls. */
const awkward = constantFrom(
  'null',
  'true',
  '000',
  '2025',
  '',
  ' ',
  '=1+1',
  '[old]',
  '1move token',
  '༼ つ ◕_◕ ༽つ',
  '🦀',
  '\u0000',
  '\uD800',
  '"',
  "'",
  '__proto__',
  'constructor',
  '\r\n',
  '\uFEFFx',
)
const values = oneof(
  jsonValue(),
  awkward,
  double({ noNaN: true }),
  constantFrom(
    null,
    -0,
    2 ** 53,
    1e21,
    '1.5',
    '2024-04-08T04:02:01Z',
    '2024-04-08T04:02:01.1234Z',
    '2024-04-08',
    '9999-12-31T00:00:00.000Z',
    {},
    [],
    { times: null },
    { usd: 1, ltc: 2 },
    { times: null, currency: null, percentage: null },
  ),
)

/** A good object with some keys replaced, removed or added. */
function bent(good: object) {
  const keys = oneof(constantFrom(...Object.keys(good)), string(), awkward)
  return record({ change: dictionary(keys, oneof(values, constantFrom(undefined))) }).map(
    ({ change }) => {
      const members = { ...good, ...change }
      // As JSON.parse makes it: own keys only, nothing undefined.
      return JSON.parse(jsonText(withoutUndefined(members))) as Record<string, unknown>
    },
  )
}

function withoutUndefined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}

function survivors(
  dataset: Dataset,
  slice: Partial<Slice>,
  body: unknown,
  operation: OperationId,
  params: ParamValues,
) {
  const warehouse = new Warehouse()
  const page = warehouse.load(dataset, body, pageOf(dataset, slice))
  return { page, answer: warehouse.answer(operation, params, NOW) }
}

function rejectedIndexes(paths: readonly { path: string }[]): Set<number> {
  return new Set(paths.map(({ path }) => Number(/\[(\d+)\]/.exec(path)![1])))
}

describe('what is not rejected comes back exactly, whatever it holds', () => {
  test('tickers', () => {
    assert(
      property(uniqueArray(bent(TICKER), { maxLength: 5 }), (tickers) => {
        const body = { name: 'Binance', tickers }
        const params = { id: 'binance' }
        const slice = { entity: 'binance' }
        const { page, answer } = survivors(
          exchangeTickers,
          slice,
          body,
          'exchanges/{id}/tickers',
          params,
        )
        const rejected = rejectedIndexes(page.rejected)
        const kept = tickers.filter((_, index) => !rejected.has(index))
        if (kept.length === 0) return
        expect(answer).toEqual({ name: 'Binance', tickers: kept })
      }),
      { numRuns: 150 },
    )
  })

  test('markets', () => {
    assert(
      property(uniqueArray(bent(MARKET), { maxLength: 5, selector: ({ id }) => id }), (rows) => {
        const { page, answer } = survivors(
          coinMarkets,
          { vsCurrency: 'usd' },
          rows,
          'coins/markets',
          { vs_currency: 'usd', order: 'any' },
        )
        const rejected = rejectedIndexes(page.rejected)
        const kept = rows.filter((_, index) => !rejected.has(index))
        expect(sorted(answer as object[])).toEqual(sorted(kept))
      }),
      { numRuns: 150 },
    )
  })

  test('coins and their platforms', () => {
    const coin = record(
      { id: awkward, symbol: awkward, name: awkward, platforms: values },
      { requiredKeys: ['id', 'symbol', 'name'] },
    ).map((coin) => JSON.parse(jsonText(coin)) as typeof coin)
    assert(
      property(uniqueArray(coin, { selector: ({ id }) => id, maxLength: 5 }), (body) => {
        const { page, answer } = survivors(coins, {}, body, 'coins/list', {
          include_platform: 'true',
        })
        expect(page.rejected).toEqual([])
        expect(answer).toEqual(body)
      }),
    )
  })

  test('rates', () => {
    const rate = bent({ name: 'Ether', unit: 'ETH', value: 20.6, type: 'crypto' })
    assert(
      property(dictionary(oneof(awkward, string()), rate), (made) => {
        const rates = JSON.parse(jsonText(made)) as Record<string, unknown>
        const { page, answer } = survivors(exchangeRates, {}, { rates }, 'exchange_rates', {})
        const kept = Object.entries((answer as { rates: object }).rates)
        expect(kept.length + page.rejected.length).toBe(Object.keys(rates).length)
        for (const [currency, value] of kept) expect(value).toEqual(rates[currency])
      }),
    )
  })
})

test.each([
  ['-0 in a whole number', { market_cap_rank: -0 }],
  ['-0 in a column that is unknown', { mood: -0 }],
  ['1e400 in a column that is unknown', { mood: [Infinity] }],
  ['half a character inside an object', { roi: { ...MARKET.roi, currency: '\uD800' } }],
  ['an object of nulls', { roi: { times: null, currency: null, percentage: null } }],
  ['an empty object', { roi: {} }],
  ['a time in another form', { ath_date: '2024-03-14T07:10:36+00:00' }],
  ['a time before 1970', { ath_date: '1969-12-31T23:59:59.999Z' }],
])('%s comes back as it was', (_, change) => {
  const body = [{ ...MARKET, ...change }]
  const params = { vs_currency: 'usd' }
  const { answer } = survivors(coinMarkets, { vsCurrency: 'usd' }, body, 'coins/markets', params)
  expect(answer).toEqual(body)
})

test.each([
  ['a key that is not there', { symbol: 'x' }, 'missing_coin_id', '$[0].id'],
  ['a key that is null', { ...MARKET, id: null }, 'missing_coin_id', '$[0].id'],
  ['a number in quotes', { ...MARKET, current_price: '1.5' }, 'not_a_number', '$[0].current_price'],
  ['1e400', { ...MARKET, current_price: Infinity }, 'not_finite', '$[0].current_price'],
  ['half a rank', { ...MARKET, market_cap_rank: 1.5 }, 'not_an_integer', '$[0].market_cap_rank'],
  ['a day for a time', { ...MARKET, ath_date: '2024-03-14' }, 'not_a_timestamp', '$[0].ath_date'],
  ['an array for an object', { ...MARKET, roi: [] }, 'not_an_object', '$[0].roi'],
  ['a text in an object', { ...MARKET, roi: { times: 'x' } }, 'not_a_number', '$[0].roi.times'],
  ['null for a row', null, 'not_an_object', '$[0]'],
])('%s costs one row, kept whole in quarantine', (_, bad, rule, path) => {
  const context = pageOf(coinMarkets, { vsCurrency: 'usd' })
  const page = coinMarkets.toTables([bad, MARKET], context)
  expect(page.rejected).toEqual([{ rule, path, raw: jsonText(bad) }])
  expect(page.tables[0]!.rows.numRows).toBe(1)
  expect(page.itemCount).toBe(2)
})

test('unknown keys are counted by path, also inside an object', () => {
  const odd = { ...TICKER, mood: 1, converted_last: { btc: 1, ltc: 2 } }
  const page = exchangeTickers.toTables(
    { name: 'x', tickers: [odd, odd], page: 1 },
    pageOf(exchangeTickers, { entity: 'x' }),
  )
  expect(page.unknownPaths).toEqual({
    '$.tickers[*].converted_last.ltc': 2,
    '$.tickers[*].mood': 2,
    '$.page': 1,
  })
})

test('the same key twice on a page: the last row wins and is counted', () => {
  const context = pageOf(coinMarkets, { vsCurrency: 'usd' })
  const page = coinMarkets.toTables([MARKET, { ...MARKET, current_price: 1 }], context)
  expect(page.counts.duplicate).toBe(1)
  expect(page.tables[0]!.rows.getChild('current_price')!.get(0)).toBe(1)
})

test('ordinals go on over the pages of a listing', () => {
  const context = pageOf(exchangeTickers, { entity: 'x' }, { page: 3 })
  const page = exchangeTickers.toTables({ name: 'x', tickers: [TICKER, TICKER] }, context)
  expect([...page.tables[0]!.rows.getChild('ordinal')!].map(Number)).toEqual([200, 201])
})

test.each([coins, coinMarkets, exchangeTickers, exchangeRates])(
  '$name refuses a body of another shape, whatever it is',
  (dataset) => {
    const context = pageOf(dataset)
    assert(
      property(anything(), (body) => {
        try {
          dataset.toTables(body, context)
        } catch (error) {
          expect((error as { code?: string }).code).toBe('SOURCE_DATA')
        }
      }),
    )
  },
)

function sorted(rows: readonly object[]): object[] {
  return rows.toSorted((a, b) => (jsonText(a) < jsonText(b) ? -1 : 1))
}
