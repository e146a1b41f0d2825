import { expect, test } from 'vitest'
import { exchangeDetails } from '../../datasets/exchange-details.ts'
import { exchangeTickers } from '../../datasets/exchange-tickers.ts'
import { Warehouse } from './warehouse.ts'
import { wholeBody, wholeTicker } from './whole-body.ts'

const ID = 'uniswap v3 [old]'
const SLICE = { entity: ID }

test.each([{}, { name: null }])('details with %j come back, beside the first 100 pairs', (odd) => {
  const body = { ...wholeBody('exchanges/{id}'), ...odd }
  const tickers = Array.from({ length: 101 }, (_, last) => ({ ...wholeTicker(), last }))
  const warehouse = new Warehouse()
  warehouse.load(exchangeDetails, body, SLICE)
  warehouse.load(exchangeTickers, { name: body['name'], tickers }, SLICE)
  const answer = warehouse.answer('exchanges/{id}', { id: ID }) as {
    tickers: { last: number; market: object }[]
  }
  expect({ ...answer, tickers: answer.tickers.map(({ last }) => last) }).toEqual({
    ...body,
    tickers: Array.from({ length: 100 }, (_, last) => last),
  })
  // Depth and logo are keys of the pairs' own operation.
  const [first] = answer.tickers
  expect(Object.keys(first!).filter((key) => key.startsWith('cost_to_move'))).toEqual([])
  expect(first!.market).not.toHaveProperty('logo')
})

test('the newest observation answers, an unknown id does not', () => {
  const warehouse = new Warehouse()
  for (const [day, name] of [
    [1, 'Old'],
    [3, 'New'],
    [2, 'Between'],
  ] as const) {
    const body = { name, year_established: 2020, tickers: [] }
    warehouse.load(exchangeDetails, body, SLICE, { observedAtMs: Date.UTC(2029, 0, day) })
  }
  const nameAt = (nowMs?: number) =>
    (warehouse.answer('exchanges/{id}', { id: ID }, nowMs) as { name: string } | null)?.name
  expect(nameAt()).toBe('New')
  expect(nameAt(Date.UTC(2029, 0, 2))).toBe('Between')
  expect(nameAt(Date.UTC(2028, 0, 1))).toBeUndefined()
  // Its pairs may just not be exported.
  expect(warehouse.answer('exchanges/{id}', { id: ID })).not.toHaveProperty('tickers')
  expect(warehouse.answer('exchanges/{id}', { id: 'uniswap' })).toBeNull()
})
