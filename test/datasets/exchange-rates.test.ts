import { expect, test } from 'vitest'
import { exchangeRates } from '../../datasets/exchange-rates.ts'
import { pageOf } from './context.ts'
import { Warehouse } from './warehouse.ts'

const NOW = Date.UTC(2030, 0, 1)
const BTC = { name: 'Bitcoin', unit: '₿', value: 1, type: 'crypto' }

test('unknown keys beside `rates` are counted, kept, and served again', () => {
  const body = {
    status: { deep: [-0, null] },
    rates: { btc: BTC, usd: { ...BTC, value: 60_000.5 } },
    base: 'btc',
  }
  const warehouse = new Warehouse()
  const page = warehouse.load(exchangeRates, body, pageOf(exchangeRates))
  expect(page.unknownPaths).toEqual({ '$.status': 1, '$.base': 1 })
  expect(page.rejected).toEqual([])
  expect(warehouse.answer('exchange_rates', {}, NOW)).toEqual(body)
})

test('unknown keys beside `rates` are kept with the first rate that is good', () => {
  const body = { rates: { '\uD800': BTC, bad: { ...BTC, value: 'x' }, usd: BTC }, base: 'btc' }
  const warehouse = new Warehouse()
  const page = warehouse.load(exchangeRates, body, pageOf(exchangeRates))
  expect(page.rejected.map(({ rule }) => rule)).toEqual(['not_a_number', 'not_a_text'])
  expect(warehouse.answer('exchange_rates', {}, NOW)).toEqual({ rates: { usd: BTC }, base: 'btc' })
})
