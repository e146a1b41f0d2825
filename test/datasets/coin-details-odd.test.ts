import { expect, test } from 'vitest'
import { coinDetails } from '../../datasets/coin-details.ts'
import { jsonText } from '../../datasets/record/json-text.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'
import { type Json, wholeDetail } from './whole-body.ts'

const SLICE = { entity: 'bitcoin' }

/** As JSON.parse makes it, -0 and 1e400 included. */
function bent(change: object): Json {
  return JSON.parse(jsonText({ ...wholeDetail(), ...change })) as Json
}

/** Takes a member out of a body, and gives it back. */
function taken(body: Json, [key, ...rest]: readonly (string | number)[]): unknown {
  if (rest.length > 0) return taken(body[key!] as Json, rest)
  const { [key!]: value } = body
  if (Array.isArray(body)) body.splice(Number(key), 1)
  else Reflect.deleteProperty(body, key!)
  return value
}

const usd = { usd: 1 }
const MARKET = { current_price: { usd: 'x', eur: 2 }, ath: usd }

test.each<[string, (string | number)[], string, object]>([
  ['not_a_text', ['name'], '', { name: 5 }],
  ['not_an_integer', ['market_cap_rank'], '', { market_cap_rank: 1.5 }],
  ['not_a_date', ['genesis_date'], '', { genesis_date: '2009-02-30' }],
  ['not_an_object', ['market_data'], '', { market_data: [] }],
  ['not_an_object', ['image'], '', { image: 'x.png' }],
  ['not_an_array', ['categories'], '', { categories: { a: 1 } }],
  ['not_an_object', ['platforms'], '', { platforms: ['a'] }],
  ['not_an_object', ['market_data', 'ath'], '', { market_data: { ath: 5, atl: usd } }],
  ['not_a_number', ['market_data', 'current_price', 'usd'], '', { market_data: MARKET }],
  [
    'not_finite',
    ['market_data', 'ath', 'eur'],
    '',
    { market_data: { ath: { ...usd, eur: Infinity } } },
  ],
  [
    'not_a_timestamp',
    ['market_data', 'atl_date', 'usd'],
    '',
    { market_data: { atl_date: { usd: '2013' }, atl: usd } },
  ],
  [
    'not_a_number',
    ['market_data', 'roi'],
    '.times',
    { market_data: { roi: { times: 'x' }, ath: usd } },
  ],
  [
    'not_an_integer',
    ['detail_platforms', 'a.b'],
    '.decimal_place',
    { detail_platforms: { 'a.b': { decimal_place: 'x' }, c: { decimal_place: 1 } } },
  ],
  ['not_a_text', ['links', 'homepage', 1], '', { links: { homepage: ['a', 5, 'b'] } }],
  [
    'not_an_object',
    ['categories_details', 0],
    '',
    { categories_details: ['x', { id: 'a', name: 'b' }], categories: [] },
  ],
  [
    'not_a_number',
    ['community_data', 'reddit_accounts_active_48h'],
    '',
    { community_data: { reddit_accounts_active_48h: 'many' } },
  ],
])('%s at %j%s: that member goes to quarantine alone', (rule, keys, below, change) => {
  const body = bent(change)
  const { rejected } = tablesOf(coinDetails, body, SLICE).page
  const warehouse = new Warehouse()
  warehouse.load(coinDetails, body, SLICE)
  const raw = jsonText(taken(body, keys))
  const steps = keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
  expect(rejected).toEqual([{ rule, path: `$${steps.join('')}${below}`, raw }])
  const params = { id: 'bitcoin', include_categories_details: 'true', sparkline: 'true' }
  expect(warehouse.answer('coins/{id}', params)).toEqual(body)
})

test('half a character as a currency goes to quarantine', () => {
  const body = bent({ market_data: { ath: { '\uD800': 1, usd: 2 }, atl: { '\uD800': 3 } } })
  const { page, rows } = tablesOf(coinDetails, body, SLICE)
  expect(page.rejected).toEqual([
    { rule: 'not_a_text', path: '$.market_data.ath.\uFFFD', raw: '{"\\ud800":1}' },
    { rule: 'not_a_text', path: '$.market_data.atl.\uFFFD', raw: '{"\\ud800":3}' },
  ])
  expect(rows['coin_detail_markets']!.map((row) => row['vs_currency'])).toEqual(['usd'])
})

test('an EVM address is in lower case in its column, and in its own case in the answer', () => {
  const contract_address = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
  const warehouse = new Warehouse()
  warehouse.load(coinDetails, bent({ contract_address }), SLICE)
  const [row] = warehouse.tables.get('coin_details')!
  expect(row!['contract_address']).toBe(contract_address.toLowerCase())
  expect(warehouse.answer('coins/{id}', { id: 'bitcoin' })).toMatchObject({ contract_address })
})

test('unknown keys of keyed members are counted by a path without their key or place', () => {
  const body = bent({
    detail_platforms: { a: { decimal_place: 1, mood: 1 }, b: { decimal_place: 2, mood: 2 } },
    categories_details: [{ id: 'a', name: 'b', mood: 3 }],
  })
  expect(tablesOf(coinDetails, body, SLICE).page.unknownPaths).toEqual({
    '$.detail_platforms.*.mood': 2,
    '$.categories_details[*].mood': 1,
  })
})
