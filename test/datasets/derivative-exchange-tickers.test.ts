import { expect, test } from 'vitest'
import { derivativeExchangeTickers } from '../../datasets/derivative-exchange-tickers.ts'
import { derivativeExchanges } from '../../datasets/derivative-exchanges.ts'
import { jsonText } from '../../datasets/record/json-text.ts'
import { pageOf } from './context.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'

const NOW = Date.UTC(2030, 0, 1)
const ID = 'binance_futures'
const SLICE = { entity: ID }
const OPERATION = 'derivatives/exchanges/{id}'

const EXCHANGE = {
  name: 'Binance (Futures)',
  open_interest_btc: null,
  trade_volume_24h_btc: '587332.45',
  number_of_perpetual_pairs: 592,
  number_of_futures_pairs: 72,
  image: 'missing_large.png',
  year_established: 2019,
  country: null,
  description: '',
  url: 'https://example.org/',
}
const DIGITS = '0.0000061681554962419895667586517612508206539318947668958'
const PERPETUAL = {
  symbol: '0GUSDT',
  base: '0G',
  target: 'USDT',
  coin_id: 'zero-gravity',
  target_coin_id: 'tether',
  trade_url: null,
  contract_type: 'perpetual',
  last: 0.473,
  h24_percentage_change: -1.149,
  index: null,
  index_basis_percentage: null,
  bid_ask_spread: 0.0004225649693639931,
  funding_rate: 0.005,
  open_interest_usd: null,
  h24_volume: 6_822_128,
  converted_volume: { btc: '42.07', eth: '1536.67', usd: '3222911.49' },
  converted_last: { btc: DIGITS, eth: '0.0002', usd: '0.4724' },
  last_traded: 1_779_809_107,
  expired_at: null,
}
const FUTURE = {
  ...PERPETUAL,
  symbol: 'BTC_261225',
  contract_type: 'futures',
  expired_at: 1_900_000_000,
}
const EXPIRED = {
  ...PERPETUAL,
  symbol: 'BTC_210625',
  contract_type: 'futures',
  expired_at: NOW / 1000,
}
const BODY = { ...EXCHANGE, tickers: [PERPETUAL, EXPIRED, FUTURE] }

test('contracts are there when they are asked for, expired ones only in all', () => {
  const warehouse = new Warehouse()
  warehouse.load(derivativeExchangeTickers, BODY, pageOf(derivativeExchangeTickers, SLICE))
  const answer = (params: object) => warehouse.answer(OPERATION, { id: ID, ...params }, NOW)
  expect(answer({})).toEqual(EXCHANGE)
  expect(answer({ include_tickers: 'all' })).toEqual(BODY)
  expect(answer({ include_tickers: 'unexpired' })).toEqual({
    ...EXCHANGE,
    tickers: [PERPETUAL, FUTURE],
  })
})

test('an exchange that is only in the listing of all is known', () => {
  const warehouse = new Warehouse()
  const context = pageOf(derivativeExchanges, {}, { stepIndex: 1 })
  warehouse.load(derivativeExchanges, [{ id: ID, ...EXCHANGE }], context)
  expect(warehouse.answer(OPERATION, { id: ID }, NOW)).toEqual(EXCHANGE)
  expect(warehouse.answer(OPERATION, { id: ID, include_tickers: 'all' }, NOW)).toEqual({
    ...EXCHANGE,
    tickers: [],
  })
  expect(warehouse.answer(OPERATION, { id: 'nobody' }, NOW)).toBeNull()
})

test('a bad exchange costs its row, not its contracts', () => {
  const bad = { ...EXCHANGE, trade_volume_24h_btc: 'much' }
  const { page, rows } = tablesOf(derivativeExchangeTickers, { ...bad, tickers: [FUTURE] }, SLICE)
  expect(page.rejected).toEqual([
    {
      rule: 'not_a_decimal',
      path: '$.trade_volume_24h_btc',
      raw: jsonText({ ...bad, tickers: [] }),
    },
  ])
  expect(rows['derivative_exchange_details']).toEqual([])
  expect(rows['derivative_exchange_tickers']).toHaveLength(1)
})
