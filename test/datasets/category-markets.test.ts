import { describe, expect, test } from 'vitest'
import { categoryMarkets } from '../../datasets/category-markets.ts'
import { jsonText } from '../../datasets/json-text.ts'
import { pageOf } from './context.ts'
import { samples } from './samples.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'

const OPERATION = 'coins/categories'
const NOW = Date.UTC(2030, 0, 1)

const LAYER_1 = {
  id: 'layer-1',
  name: 'Layer 1 (L1)',
  market_cap: 2061406861196.14,
  market_cap_change_24h: -0.66091235190398,
  content: 'Chains 🦄',
  top_3_coins_id: ['bitcoin', '1move token'],
  top_3_coins: ['https://example.org/a.png?1', 'missing_small.png'],
  volume_24h: 61146432400.1739,
  updated_at: '2024-04-06T08:25:46.402Z',
}
const EMPTY = {
  ...LAYER_1,
  id: '_x [old]',
  name: 'A',
  market_cap: 0,
  market_cap_change_24h: null,
  content: null,
  top_3_coins_id: [],
  top_3_coins: [],
  volume_24h: null,
  updated_at: null,
}

function loaded(body: unknown, observedAtMs = NOW): Warehouse {
  const warehouse = new Warehouse()
  warehouse.load(categoryMarkets, body, pageOf(categoryMarkets, {}, { observedAtMs }))
  return warehouse
}

function answerTo(body: unknown): unknown {
  return loaded(body).answer(OPERATION, {}, NOW)
}

test('columns hold what they are named after, and the greatest coins are rows', () => {
  const { rows, page } = tablesOf(categoryMarkets, [LAYER_1, EMPTY])
  const observed = { observed_at: NOW, observed_date: '2030-01-01' }
  const whole = { ...observed, _absent: null, _extra: null }
  expect(rows['category_markets']).toEqual([
    {
      category_id: 'layer-1',
      ordinal: 0,
      name: 'Layer 1 (L1)',
      market_cap: 2061406861196.14,
      market_cap_change_percentage_24h: -0.66091235190398,
      content: 'Chains 🦄',
      volume_24h: 61146432400.1739,
      updated_at: Date.UTC(2024, 3, 6, 8, 25, 46, 402),
      ...whole,
    },
    {
      category_id: '_x [old]',
      ordinal: 1,
      name: 'A',
      market_cap: 0,
      market_cap_change_percentage_24h: null,
      content: null,
      volume_24h: null,
      updated_at: null,
      ...whole,
    },
  ])
  const top = { category_id: 'layer-1', ...observed }
  expect(rows['category_top_coins']).toEqual([
    { ...top, ordinal: 0, coin_id: 'bitcoin', image: 'https://example.org/a.png?1' },
    { ...top, ordinal: 1, coin_id: '1move token', image: 'missing_small.png' },
  ])
  expect(page).toMatchObject({ rejected: [], unknownPaths: {}, itemCount: 2 })
})

describe('recordings', () => {
  const files = samples('coins-categories--')
  test.skipIf(files.length === 0)('are all there', () => expect(files).toHaveLength(3))
  test.each(files)('%s comes back, and nothing of it is unknown', (_, body) => {
    expect(answerTo(body)).toEqual(body)
    expect(tablesOf(categoryMarkets, body).page).toMatchObject({ rejected: [], unknownPaths: {} })
  })
})

const { top_3_coins_id: _ids, top_3_coins: _images, ...without } = LAYER_1
test.each<[string, unknown, number]>([
  ['nothing but an id', { id: 'x' }, 0],
  ['no greatest coins', without, 0],
  ['ids only', { ...without, top_3_coins_id: ['a'] }, 1],
  ['logos only, as before 2024', { ...without, top_3_coins: ['a.png', 'b.png'] }, 2],
  ['null for lists', { ...LAYER_1, top_3_coins_id: null, top_3_coins: null }, 0],
  ['null for one list', { ...LAYER_1, top_3_coins_id: null }, 2],
  ['lists of different lengths', { ...LAYER_1, top_3_coins: ['a.png'] }, 2],
  ['other things in a list', { ...LAYER_1, top_3_coins: [null, { url: 5 }] }, 2],
  ['half a character', { ...LAYER_1, top_3_coins_id: ['\uD800', 'b'] }, 2],
  ['four coins', { ...without, top_3_coins_id: ['a', 'b', 'c', 'd'] }, 4],
  ['the same coin twice', { ...without, top_3_coins_id: ['a', 'a'] }, 2],
  ['a time in another form', { ...LAYER_1, updated_at: '2024-04-06T08:25:46+00:00' }, 2],
  ['-0 and beyond 2^53', { ...LAYER_1, market_cap: -0, volume_24h: 10604984537181484 }, 2],
  ['1e-11', { ...LAYER_1, market_cap: 1e-11 }, 2],
  ['keys that are new', { ...LAYER_1, mood: { deep: [-0, Infinity] } }, 2],
])('%s: comes back as it was', (_, item, tops) => {
  expect(answerTo([item])).toEqual([item])
  expect(tablesOf(categoryMarkets, [item]).rows['category_top_coins']).toHaveLength(tops)
})

test.each<[string, string, object | null]>([
  ['missing_category_id', '$[1].id', { ...LAYER_1, id: null }],
  ['not_a_number', '$[1].market_cap', { ...LAYER_1, market_cap: '1.5' }],
  ['not_finite', '$[1].volume_24h', { ...LAYER_1, volume_24h: Infinity }],
  ['not_a_timestamp', '$[1].updated_at', { ...LAYER_1, updated_at: '2024-04-06' }],
  ['not_an_array', '$[1].top_3_coins', { ...LAYER_1, top_3_coins: 'a.png' }],
  ['not_an_array', '$[1].top_3_coins_id', { ...LAYER_1, top_3_coins_id: { 0: 'a' } }],
  ['not_an_object', '$[1]', null],
])('%s at %s costs one category', (rule, path, bad) => {
  const { page, rows } = tablesOf(categoryMarkets, [EMPTY, bad])
  expect(page.rejected).toEqual([{ rule, path, raw: jsonText(bad) }])
  expect(rows['category_markets']).toHaveLength(1)
  expect(rows['category_top_coins']).toEqual([])
})

test('a category listed twice: the last one counts, with its own coins', () => {
  const again = { ...LAYER_1, top_3_coins_id: ['x'], top_3_coins: ['x.png'] }
  const { page, rows } = tablesOf(categoryMarkets, [LAYER_1, again])
  expect(page.counts.duplicate).toBe(1)
  expect(rows['category_top_coins']!.map((row) => row['coin_id'])).toEqual(['x'])
})

test.each([[null], [{}], ['<html></html>'], [''], [{ status: { error_code: 429 } }]])(
  'the body %j is refused whole',
  (body) => expect(() => tablesOf(categoryMarkets, body)).toThrow('$ is no array'),
)

describe('the service', () => {
  const b = { ...LAYER_1, id: 'b', name: 'B', market_cap: 5, market_cap_change_24h: 3 }
  const c = { ...LAYER_1, id: 'c', name: 'C', market_cap: null, market_cap_change_24h: -1 }
  const warehouse = loaded([LAYER_1, b, EMPTY, c])
  const order = (name: string) =>
    (warehouse.answer(OPERATION, { order: name }, NOW) as { id: string }[]).map(({ id }) => id)

  test.each([
    ['market_cap_desc', ['layer-1', 'b', '_x [old]', 'c']],
    ['market_cap_asc', ['_x [old]', 'b', 'layer-1', 'c']],
    ['name_asc', ['_x [old]', 'b', 'c', 'layer-1']],
    ['name_desc', ['layer-1', 'c', 'b', '_x [old]']],
    ['market_cap_change_24h_desc', ['b', 'layer-1', 'c', '_x [old]']],
    ['market_cap_change_24h_asc', ['c', 'layer-1', 'b', '_x [old]']],
  ])('sorts by %s, unknown values last', (name, ids) => expect(order(name)).toEqual(ids))

  test('answers the newest observation whole, and an empty list when there is none', () => {
    const old = loaded([LAYER_1], NOW - 1000)
    old.load(categoryMarkets, [EMPTY], pageOf(categoryMarkets, {}, { observedAtMs: NOW }))
    expect(old.answer(OPERATION, {}, NOW)).toEqual([EMPTY])
    expect(old.answer(OPERATION, {}, NOW - 1)).toEqual([LAYER_1])
    expect(new Warehouse().answer(OPERATION, {}, NOW)).toEqual([])
  })

  test('does not mix the coins of an older observation in', () => {
    const old = loaded([LAYER_1], NOW - 1000)
    const bare = { ...LAYER_1, top_3_coins_id: [], top_3_coins: [] }
    old.load(categoryMarkets, [bare], pageOf(categoryMarkets, {}, { observedAtMs: NOW }))
    expect(old.answer(OPERATION, {}, NOW)).toEqual([bare])
  })
})
