import { expect, test } from 'vitest'
import { derivativeExchanges } from '../../datasets/derivative-exchanges.ts'
import { Warehouse } from './warehouse.ts'
import { wholeItem } from './whole-body.ts'

/** Derivative exchanges e0, e1, ... whose open interest grows and whose volume falls. */
const listed = Array.from({ length: 120 }, (_, index) => ({
  ...wholeItem('derivatives/exchanges'),
  id: `e${index}`,
  name: `Exchange ${String(index).padStart(3, '0')}`,
  open_interest_btc: index === 0 ? null : index,
  // Texts in another order than their numbers.
  trade_volume_24h_btc: String(1000 - index * 9),
}))
const warehouse = new Warehouse()
warehouse.load(derivativeExchanges, listed, {}, { stepIndex: 1 })
const idsOf = (params: Record<string, string>) =>
  (warehouse.answer('derivatives/exchanges', params) as { id: string }[]).map(({ id }) => id)

test('the listing has 50 rows a page, by open interest, those without it last', () => {
  const ids = listed.map(({ id }) => id).toReversed()
  expect(idsOf({})).toEqual(ids.slice(0, 50))
  expect(idsOf({ page: '3' })).toEqual(ids.slice(100))
  expect(idsOf({ page: '4' })).toEqual([])
  expect(idsOf({ per_page: '7', page: '2' })).toEqual(ids.slice(7, 14))
  expect(idsOf({ per_page: '1000' })).toHaveLength(120)
})

test.each([
  ['open_interest_btc_asc', 'e1'],
  ['open_interest_btc_desc', 'e119'],
  ['trade_volume_24h_btc_asc', 'e119'],
  ['trade_volume_24h_btc_desc', 'e0'],
  ['name_asc', 'e0'],
  ['name_desc', 'e119'],
])('order=%s starts with %s', (order, first) => {
  expect(idsOf({ order })[0]).toBe(first)
})
