import { describe, expect, test } from 'vitest'
import { derivativeExchanges } from '../../datasets/derivative-exchanges.ts'
import { pageOf } from './context.ts'
import { Warehouse } from './warehouse.ts'

const NOW = Date.UTC(2030, 0, 1)
const STATS = { stepIndex: 1 }

const BINANCE = {
  name: 'Binance (Futures)',
  id: 'binance_futures',
  open_interest_btc: 332_790.5,
  trade_volume_24h_btc: `588597.${'24'.repeat(40)}`,
  number_of_perpetual_pairs: 592,
  number_of_futures_pairs: 72,
  image: 'missing_large.png',
  year_established: 2019,
  country: null,
  description: '',
  url: null,
}

/** Derivative exchanges e0, e1, ... whose open interest grows and whose volume falls. */
function exchangesOf(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    ...BINANCE,
    id: `e${index}`,
    name: `Exchange ${String(index).padStart(3, '0')}`,
    open_interest_btc: index === 0 ? null : index,
    // Texts in another order than their numbers.
    trade_volume_24h_btc: String(1000 - index * 9),
  }))
}

describe('the listing', () => {
  const warehouse = new Warehouse()
  const body = exchangesOf(120)
  warehouse.load(derivativeExchanges, body, pageOf(derivativeExchanges, {}, STATS))
  const idsOf = (params: Record<string, string>) =>
    (warehouse.answer('derivatives/exchanges', params, NOW) as { id: string }[]).map(({ id }) => id)

  test('has 50 rows a page, by open interest, those without it last', () => {
    expect(idsOf({})).toEqual(
      exchangesOf(120)
        .map(({ id }) => id)
        .toReversed()
        .slice(0, 50),
    )
    expect(idsOf({ page: '3' })).toHaveLength(20)
    expect(idsOf({ page: '3' }).at(-1)).toBe('e0')
    expect(idsOf({ page: '4' })).toEqual([])
    expect(idsOf({ per_page: '7', page: '2' })).toHaveLength(7)
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
})
