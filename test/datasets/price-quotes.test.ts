import { assert, constantFrom, dictionary, double, oneof, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { coins } from '../../datasets/coins.ts'
import { jsonText } from '../../datasets/record/json-text.ts'
import { priceQuotes } from '../../datasets/price-quotes.ts'
import { NOW_MS } from './context.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'

const OPERATION = 'simple/price'
const SLICE = { entity: '1move token,bitcoin', vsCurrency: 'usd,24h' }
/** Everything that was exported. */
const ALL = {
  vs_currencies: SLICE.vsCurrency,
  include_market_cap: 'true',
  include_24hr_vol: 'true',
  include_24hr_change: 'true',
  include_last_updated_at: 'true',
  precision: 'full',
}

// A currency code can look like a part of another key.
const BITCOIN = {
  usd: 76975.123456789,
  usd_market_cap: 10604984537181484,
  usd_24h_vol: 0,
  usd_24h_change: -1.5,
  '24h': 1.1792020782950375e-11,
  '24h_market_cap': null,
  '24h_24h_vol': 2,
  '24h_24h_change': null,
  last_updated_at: 1779092258,
}
const MOVE = { usd: null, last_updated_at: 1779092259 }
const BODY = { bitcoin: BITCOIN, '1move token': MOVE }

function loaded(body: unknown, slice = SLICE, observedAtMs = NOW_MS): Warehouse {
  const warehouse = new Warehouse()
  warehouse.load(priceQuotes, body, slice, { observedAtMs })
  return warehouse
}

function answerTo(body: object, slice = SLICE): unknown {
  const ids = Object.keys(body).join(',')
  const params = { ...ALL, ids, vs_currencies: slice.vsCurrency }
  return loaded(body, slice).answer(OPERATION, params)
}

test('a coin that is not answered is named; one without the currency is a row without a price', () => {
  const { page, rows } = tablesOf(priceQuotes, { bitcoin: {} }, SLICE)
  expect(page.rejected).toEqual([
    { rule: 'not_in_answer', path: '$.1move token', raw: '"1move token"' },
  ])
  expect(tablesOf(priceQuotes, { BITCOIN }, SLICE).page.rejected).toHaveLength(2)
  expect(page.itemCount).toBe(1)
  const absent = '["price","market_cap","24h_vol","24h_change","last_updated_at"]'
  expect(rows['price_quotes']).toMatchObject([
    { coin_id: 'bitcoin', vs_currency: 'usd', price: null, _absent: absent },
    { coin_id: 'bitcoin', vs_currency: '24h', price: null, _absent: absent },
  ])
  expect(tablesOf(priceQuotes, {}, SLICE).page.rejected.map(({ path }) => path)).toEqual([
    '$.1move token',
    '$.bitcoin',
  ])
})

test.each<[string, object, Record<string, number>]>([
  [
    'a currency nobody asked for',
    { ...BITCOIN, eur: 5, eur_24h_vol: null },
    { eur: 1, eur_24h_vol: 1 },
  ],
  ['a field nobody knows', { usd: 1, usd_7d_change: 2 ** 60 }, { usd_7d_change: 1 }],
  ['keys like our own', { usd: 1, price: 'x', '24h_vol': { a: -0 } }, { price: 1, '24h_vol': 1 }],
  ['nothing known', { x: [Infinity] }, { x: 1 }],
  ['a time with a fraction', { usd: 1, last_updated_at: 1779092258.5 }, {}],
  ['-0', { usd: -0, usd_24h_change: -0 }, {}],
  ['a number in quotes', { usd: '1.50', usd_24h_change: '-2', usd_market_cap: 3 }, {}],
])('%s comes back as it was, and is counted', (_, entry, unknown) => {
  const body = { bitcoin: entry, '1move token': MOVE }
  expect(answerTo(body)).toEqual(body)
  const paths = Object.entries(unknown).map(([key, count]) => [`$.*.${key}`, count])
  expect(tablesOf(priceQuotes, body, SLICE).page.unknownPaths).toEqual(Object.fromEntries(paths))
})

test.each<[string, string, unknown, number]>([
  ['not_a_number', '$.bitcoin.usd', { ...BITCOIN, usd: 'x' }, 1],
  ['not_finite', '$.bitcoin.24h_24h_vol', { ...BITCOIN, '24h_24h_vol': Infinity }, 1],
  ['not_an_object', '$.bitcoin', 76975, 0],
  ['not_an_object', '$.bitcoin', null, 0],
  ['not_an_object', '$.bitcoin', [1], 0],
])('%s at %s costs one quote', (rule, path, entry, left) => {
  const body = { bitcoin: entry, '1move token': MOVE }
  const { page, rows } = tablesOf(priceQuotes, body, SLICE)
  expect(page.rejected).toEqual([{ rule, path, raw: jsonText(entry) }])
  const ids = rows['price_quotes']!.map((row) => row['coin_id'])
  expect(ids.filter((id) => id === 'bitcoin')).toHaveLength(left)
  expect(ids.filter((id) => id !== 'bitcoin')).toHaveLength(2)
})

test('a broken time costs all quotes of its coin', () => {
  const bad = { ...BITCOIN, last_updated_at: '2026-05-18' }
  const { page, rows } = tablesOf(priceQuotes, { ...BODY, bitcoin: bad }, SLICE)
  const one = { rule: 'not_a_timestamp', path: '$.bitcoin.last_updated_at', raw: jsonText(bad) }
  expect(page.rejected).toEqual([one, one])
  expect(rows['price_quotes']).toHaveLength(2)
})

test('half a character as an id goes to quarantine', () => {
  const { page } = tablesOf(priceQuotes, { ...BODY, '\uD800': { usd: 1 } }, SLICE)
  expect(page.rejected).toEqual([
    { rule: 'not_a_text', path: '$.\uFFFD', raw: '{"\\ud800":{"usd":1}}' },
  ])
})

test('whatever numbers there are, they come back', () => {
  const number = oneof(double({ noNaN: true, noDefaultInfinity: true }), constantFrom(null, -0))
  const key = constantFrom('usd', 'usd_market_cap', '24h_24h_vol', '24h', 'eur', '__proto__')
  const id = oneof(string(), constantFrom('bitcoin', '__proto__', '🦄', '"'))
  const entries = dictionary(id, dictionary(key, number))
  assert(
    property(entries, (made) => {
      // The ids stand in a csv when they are asked for.
      const kept = Object.entries(made).filter(([id]) => id === id.trim() && !/^$|,/.test(id))
      const body = JSON.parse(jsonText(Object.fromEntries(kept))) as object
      expect(answerTo(body)).toEqual(body)
    }),
  )
})

describe('the service', () => {
  const get = (warehouse: Warehouse, params: Record<string, string>) =>
    warehouse.answer(OPERATION, params)

  test('gives what is asked for and nothing else', () => {
    const warehouse = loaded(BODY)
    const ids = { ids: 'bitcoin', vs_currencies: 'usd' }
    expect(get(warehouse, ids)).toEqual({ bitcoin: { usd: 76975.123456789 } })
    expect(get(warehouse, { ...ids, include_market_cap: 'true' })).toEqual({
      bitcoin: { usd: 76975.123456789, usd_market_cap: 10604984537181484 },
    })
    expect(
      get(warehouse, { ...ids, include_24hr_vol: 'true', include_24hr_change: 'true' }),
    ).toEqual({ bitcoin: { usd: 76975.123456789, usd_24h_vol: 0, usd_24h_change: -1.5 } })
    expect(get(warehouse, { ...ids, include_last_updated_at: 'true' })).toEqual({
      bitcoin: { usd: 76975.123456789, last_updated_at: 1779092258 },
    })
    expect(get(warehouse, { ids: 'bitcoin,1move token', vs_currencies: '24h,usd' })).toEqual({
      bitcoin: { usd: 76975.123456789, '24h': 1.1792020782950375e-11 },
      '1move token': { usd: null },
    })
  })

  test.each([
    ['full', 76975.123456789],
    ['0', 76975],
    ['2', 76975.12],
    ['18', 76975.123456789],
  ])('rounds to precision %s', (precision, usd) => {
    const params = { ids: 'bitcoin', vs_currencies: 'usd', precision }
    expect(get(loaded(BODY), params)).toEqual({ bitcoin: { usd } })
  })

  test('says {} of a coin it knows and has no such quote of, and nothing of others', () => {
    const warehouse = loaded(BODY)
    warehouse.load(coins, [{ id: 'new', symbol: 'n', name: 'N' }])
    const params = { ids: 'bitcoin,new,unknown', vs_currencies: 'eur' }
    expect(get(warehouse, params)).toEqual({ bitcoin: {}, new: {} })
    expect(get(new Warehouse(), params)).toEqual({})
  })

  test('gives the newest quote of each coin and currency, whenever it was asked for', () => {
    const first = { a: { usd: 1, eur: 2 }, b: { usd: 3, eur: 4 } }
    const warehouse = loaded(first, { entity: 'a,b', vsCurrency: 'usd,eur' }, NOW_MS - 9)
    const later = (entity: string, vsCurrency: string, body: object, observedAtMs: number) =>
      warehouse.load(priceQuotes, body, { entity, vsCurrency }, { observedAtMs })
    later('a', 'usd', { a: { usd: 10 } }, NOW_MS)
    later('b', 'usd', { b: { usd: 30 } }, NOW_MS - 1)
    expect(get(warehouse, { ids: 'a,b', vs_currencies: 'usd,eur' })).toEqual({
      a: { usd: 10, eur: 2 },
      b: { usd: 30, eur: 4 },
    })
  })
})
