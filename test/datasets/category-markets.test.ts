import { describe, expect, test } from 'vitest'
import { categoryMarkets } from '../../datasets/category-markets.ts'
import { pageOf } from './context.ts'
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

test('a category listed twice: the last one counts, with its own coins', () => {
  const again = { ...LAYER_1, top_3_coins_id: ['x'], top_3_coins: ['x.png'] }
  const { page, rows } = tablesOf(categoryMarkets, [LAYER_1, again])
  expect(page.counts.duplicate).toBe(1)
  expect(rows['category_top_coins']!.map((row) => row['coin_id'])).toEqual(['x'])
})

describe('the service', () => {
  const b = { ...LAYER_1, id: 'b', name: 'B', market_cap: 5, market_cap_change_24h: 3 }
  const c = { ...LAYER_1, id: 'c', name: 'C', market_cap: null, market_cap_change_24h: -1 }
  const warehouse = new Warehouse()
  warehouse.load(categoryMarkets, [LAYER_1, b, EMPTY, c], pageOf(categoryMarkets))
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

  test('answers an empty list where nothing is held', () => {
    expect(new Warehouse().answer(OPERATION, {}, NOW)).toEqual([])
  })
})
