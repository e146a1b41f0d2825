import { expect, test } from 'vitest'
import { derivativeTickers } from '../../datasets/derivative-tickers.ts'
import { pageOf } from './context.ts'
import { Warehouse } from './warehouse.ts'

const NOW = Date.UTC(2030, 0, 1)
const PERPETUAL = {
  market: 'Stormgain Futures',
  symbol: 'BCH-PERPUSDT',
  index_id: 'BCH',
  price: '0.00000000000123456789012345678901234567890',
  price_percentage_change_24h: -2.5,
  contract_type: 'perpetual',
  index: null,
  basis: 448_228.7,
  spread: null,
  funding_rate: -0.0001,
  open_interest: null,
  volume_24h: 28_083_676_311.186348,
  last_traded_at: 1_621_346_317,
  expired_at: null,
}

function answerTo(body: unknown): unknown {
  const warehouse = new Warehouse()
  warehouse.load(derivativeTickers, body, pageOf(derivativeTickers))
  return warehouse.answer('derivatives', {}, NOW)
}

test('one contract listed more than once keeps each of its rows', () => {
  const body = [PERPETUAL, { ...PERPETUAL, price: '2' }, PERPETUAL]
  expect(answerTo(body)).toEqual(body)
})

test('nothing listed is an empty list', () => {
  expect(answerTo([])).toEqual([])
})
