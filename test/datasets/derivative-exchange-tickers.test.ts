import { expect, test } from 'vitest'
import { derivativeExchangeTickers } from '../../datasets/derivative-exchange-tickers.ts'
import { derivativeExchanges } from '../../datasets/derivative-exchanges.ts'
import { jsonText } from '../../datasets/record/json-text.ts'
import { NOW_MS } from './context.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'
import { type Json, wholeBody } from './whole-body.ts'

const ID = 'binance_futures'
const SLICE = { entity: ID }
const OPERATION = 'derivatives/exchanges/{id}'
const { tickers, ...EXCHANGE } = wholeBody(OPERATION) as { tickers: Json[] }
const contract = (symbol: string, expired_at: number | null) => ({
  ...tickers[0]!,
  symbol,
  expired_at,
})
const PERPETUAL = contract('0GUSDT', null)
const FUTURE = contract('BTC_261225', 1_900_000_000)
const BODY = { ...EXCHANGE, tickers: [PERPETUAL, contract('BTC_210625', NOW_MS / 1000), FUTURE] }

test('contracts are there when they are asked for, expired ones only in all', () => {
  const warehouse = new Warehouse()
  warehouse.load(derivativeExchangeTickers, BODY, SLICE)
  const answer = (params: object) => warehouse.answer(OPERATION, { id: ID, ...params })
  expect(answer({})).toEqual(EXCHANGE)
  expect(answer({ include_tickers: 'all' })).toEqual(BODY)
  const unexpired = { ...EXCHANGE, tickers: [PERPETUAL, FUTURE] }
  expect(answer({ include_tickers: 'unexpired' })).toEqual(unexpired)
})

test('contracts that were not sent are not served as none', () => {
  for (const tickers of [{}, { name: null, tickers: [] }, { tickers: null }]) {
    const body = { ...EXCHANGE, ...tickers }
    const warehouse = new Warehouse()
    warehouse.load(derivativeExchangeTickers, body, SLICE)
    expect(warehouse.answer(OPERATION, { id: ID, include_tickers: 'all' })).toEqual(body)
  }
})

test('an exchange that is only in the listing of all is known, but not its contracts', () => {
  const warehouse = new Warehouse()
  warehouse.load(derivativeExchanges, [{ id: ID, ...EXCHANGE }], {}, { stepIndex: 1 })
  const answer = (params: object) => warehouse.answer(OPERATION, { id: ID, ...params })
  expect(answer({})).toEqual(EXCHANGE)
  expect(answer({ include_tickers: 'all' })).toEqual(EXCHANGE)
  expect(answer({ id: 'nobody' })).toBeNull()
})

test('a value that is no list of contracts costs no exchange', () => {
  const { page, rows } = tablesOf(derivativeExchangeTickers, { ...BODY, tickers: { a: 1 } }, SLICE)
  expect(page.rejected).toEqual([{ rule: 'not_an_array', path: '$.tickers', raw: '{"a":1}' }])
  expect(rows['derivative_exchange_details']).toHaveLength(1)
  expect(rows['derivative_exchange_tickers']).toEqual([])
})

test('a bad exchange costs its row, not its contracts', () => {
  const bad = { ...EXCHANGE, trade_volume_24h_btc: 'much' }
  const { page, rows } = tablesOf(derivativeExchangeTickers, { ...bad, tickers: [FUTURE] }, SLICE)
  const raw = jsonText({ ...bad, tickers: [] })
  expect(page.rejected).toEqual([{ rule: 'not_a_decimal', path: '$.trade_volume_24h_btc', raw }])
  expect(rows['derivative_exchange_details']).toEqual([])
  expect(rows['derivative_exchange_tickers']).toHaveLength(1)
})
