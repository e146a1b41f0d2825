import { describe, expect, test } from 'vitest'
import { coinDetails } from '../../datasets/coin-details.ts'
import { jsonText } from '../../datasets/record/json-text.ts'
import { pageOf } from './context.ts'
import { DETAIL } from './detail-body.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'

const NOW = Date.UTC(2030, 0, 1)
const SLICE = { entity: 'bitcoin' }

/** As JSON.parse makes it, -0 and 1e400 included. */
function bent(change: object): Record<string, unknown> {
  return JSON.parse(jsonText({ ...DETAIL, ...change })) as Record<string, unknown>
}

function answerTo(body: unknown): unknown {
  const warehouse = new Warehouse()
  warehouse.load(coinDetails, body, pageOf(coinDetails, SLICE))
  const params = { id: 'bitcoin', include_categories_details: 'true', sparkline: 'true' }
  return warehouse.answer('coins/{id}', params, NOW)
}

describe('a member of the wrong form goes to quarantine alone', () => {
  const usd = { usd: 1 }
  test.each<[string, string, object, unknown, object]>([
    ['not_a_text', '$.name', { name: 5 }, 5, {}],
    ['not_an_integer', '$.market_cap_rank', { market_cap_rank: 1.5 }, 1.5, {}],
    ['not_a_date', '$.genesis_date', { genesis_date: '2009-02-30' }, '2009-02-30', {}],
    ['not_an_object', '$.market_data', { market_data: [] }, [], {}],
    ['not_an_object', '$.image', { image: 'x.png' }, 'x.png', {}],
    ['not_an_array', '$.categories', { categories: { a: 1 } }, { a: 1 }, {}],
    ['not_an_object', '$.platforms', { platforms: ['a'] }, ['a'], {}],
    [
      'not_an_object',
      '$.market_data.ath',
      { market_data: { ath: 5, current_price: usd } },
      5,
      { market_data: { current_price: usd } },
    ],
    [
      'not_a_number',
      '$.market_data.current_price.usd',
      { market_data: { current_price: { usd: '1', eur: 2 }, ath: usd } },
      '1',
      { market_data: { current_price: { eur: 2 }, ath: usd } },
    ],
    [
      'not_finite',
      '$.market_data.current_price.usd',
      { market_data: { current_price: { usd: Infinity, eur: 2 } } },
      Infinity,
      { market_data: { current_price: { eur: 2 } } },
    ],
    [
      'not_a_timestamp',
      '$.market_data.atl_date.usd',
      { market_data: { atl_date: { usd: '2013' }, atl: usd } },
      '2013',
      { market_data: { atl_date: {}, atl: usd } },
    ],
    [
      'not_a_number',
      '$.market_data.roi.times',
      { market_data: { roi: { times: 'x' }, total_supply: 5 } },
      { times: 'x' },
      { market_data: { total_supply: 5 } },
    ],
    [
      'not_an_integer',
      '$.detail_platforms.a.b.decimal_place',
      { detail_platforms: { 'a.b': { decimal_place: 'x' }, c: { decimal_place: 1 } } },
      { decimal_place: 'x' },
      { detail_platforms: { c: { decimal_place: 1 } } },
    ],
    [
      'not_a_text',
      '$.links.homepage[1]',
      { links: { homepage: ['a', 5, 'b'] } },
      5,
      { links: { homepage: ['a', 'b'] } },
    ],
    [
      'not_an_object',
      '$.categories_details[0]',
      { categories_details: ['x', { id: 'a', name: 'b' }], categories: [] },
      'x',
      { categories_details: [{ id: 'a', name: 'b' }], categories: [] },
    ],
    [
      'not_a_number',
      '$.community_data.reddit_accounts_active_48h',
      { community_data: { reddit_accounts_active_48h: 'many' } },
      'many',
      { community_data: {} },
    ],
  ])('%s at %s', (rule, path, change, raw, left) => {
    const body = bent(change)
    const { page } = tablesOf(coinDetails, body, SLICE)
    expect(page.rejected).toEqual([{ rule, path, raw: jsonText(raw) }])
    const rest = { ...body, ...left }
    for (const key of Object.keys(change)) if (!Object.hasOwn(left, key)) delete rest[key as 'id']
    expect(answerTo(body)).toEqual(rest)
  })

  test('half a character as a currency', () => {
    const body = bent({ market_data: { ath: { '\uD800': 1, usd: 2 }, atl: { '\uD800': 3 } } })
    const { page, rows } = tablesOf(coinDetails, body, SLICE)
    expect(page.rejected).toEqual([
      { rule: 'not_a_text', path: '$.market_data.ath.\uFFFD', raw: '{"\\ud800":1}' },
      { rule: 'not_a_text', path: '$.market_data.atl.\uFFFD', raw: '{"\\ud800":3}' },
    ])
    expect(rows['coin_detail_markets']!.map((row) => row['vs_currency'])).toEqual(['usd'])
  })
})
