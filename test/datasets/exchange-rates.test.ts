import { expect, test } from 'vitest'
import { exchangeRates } from '../../datasets/exchange-rates.ts'
import { Warehouse } from './warehouse.ts'

const BTC = { name: 'Bitcoin', unit: '₿', value: 1, type: 'crypto' }

test('unknown keys beside `rates` are counted, and served again with the first rate that is good', () => {
  const beside = { status: { deep: [-0, null] }, base: 'btc' }
  const rates = {
    '\uD800': BTC,
    bad: { ...BTC, value: 'x' },
    usd: BTC,
    eur: { ...BTC, value: 2.5 },
  }
  const warehouse = new Warehouse()
  const page = warehouse.load(exchangeRates, { ...beside, rates })
  expect(page.unknownPaths).toEqual({ '$.status': 1, '$.base': 1 })
  expect(page.rejected.map(({ rule }) => rule)).toEqual(['not_a_number', 'not_a_text'])
  const { usd, eur } = rates
  expect(warehouse.answer('exchange_rates')).toEqual({ ...beside, rates: { usd, eur } })
})
