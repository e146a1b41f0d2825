import { expect, test } from 'vitest'
import { categoryMarkets } from '../../datasets/category-markets.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'
import { wholeItem } from './whole-body.ts'

const LAYER_1 = {
  ...wholeItem('coins/categories'),
  id: 'layer-1',
  name: 'Layer 1 (L1)',
  market_cap: 7,
  market_cap_change_24h: -0.6,
}

test('a category listed twice: the last one counts, with its own coins', () => {
  const again = { ...LAYER_1, top_3_coins_id: ['x'], top_3_coins: ['x.png'] }
  const { page, rows } = tablesOf(categoryMarkets, [LAYER_1, again])
  expect(page.counts.duplicate).toBe(1)
  expect(rows['category_top_coins']!.map((row) => row['coin_id'])).toEqual(['x'])
})

test.each([
  ['market_cap_desc', ['layer-1', 'b', '_x [old]', 'c']],
  ['market_cap_asc', ['_x [old]', 'b', 'layer-1', 'c']],
  ['name_asc', ['_x [old]', 'b', 'c', 'layer-1']],
  ['name_desc', ['layer-1', 'c', 'b', '_x [old]']],
  ['market_cap_change_24h_desc', ['b', 'layer-1', 'c', '_x [old]']],
  ['market_cap_change_24h_asc', ['c', 'layer-1', 'b', '_x [old]']],
])('the service sorts by %s, unknown values last', (order, ids) => {
  const warehouse = new Warehouse()
  expect(warehouse.answer('coins/categories')).toEqual([])
  const b = { ...LAYER_1, id: 'b', name: 'B', market_cap: 5, market_cap_change_24h: 3 }
  const c = { ...LAYER_1, id: 'c', name: 'C', market_cap: null, market_cap_change_24h: -1 }
  const empty = { id: '_x [old]', name: 'A', market_cap: 0, market_cap_change_24h: null }
  warehouse.load(categoryMarkets, [LAYER_1, b, { ...LAYER_1, ...empty }, c])
  const answer = warehouse.answer('coins/categories', { order }) as { id: string }[]
  expect(answer.map(({ id }) => id)).toEqual(ids)
})
