import { describe, expect, test } from 'vitest'
import { exchangeDetails } from '../../datasets/exchange-details.ts'
import { exchangeTickers } from '../../datasets/exchange-tickers.ts'
import { pageOf } from './context.ts'
import { samples } from './samples.ts'
import { Warehouse } from './warehouse.ts'

const NOW = Date.UTC(2030, 0, 1)
const ID = 'uniswap v3 [old]'
const SLICE = { entity: ID }

const recorded = samples('exchanges-id-').filter(([name]) => !/tickers|volume_chart/.test(name))

describe('recordings', () => {
  test.skipIf(recorded.length === 0)('are all there', () => expect(recorded).toHaveLength(3))

  test.each(recorded)('%s comes back whole beside the tickers', (_, body) => {
    const { name, tickers } = body as { name: string; tickers: unknown[] }
    const warehouse = new Warehouse()
    warehouse.load(exchangeDetails, body, pageOf(exchangeDetails, SLICE))
    const listing = { name, tickers: [...tickers, ...tickers] }
    warehouse.load(exchangeTickers, listing, pageOf(exchangeTickers, SLICE))
    const answer = warehouse.answer('exchanges/{id}', { id: ID }, NOW) as { tickers: unknown[] }
    expect(answer).toEqual({ ...(body as object), tickers: listing.tickers.slice(0, 100) })
  })
})

test('the newest observation answers, an unknown id does not', () => {
  const warehouse = new Warehouse()
  for (const [day, name] of [
    [1, 'Old'],
    [3, 'New'],
    [2, 'Between'],
  ] as const) {
    const observedAtMs = Date.UTC(2029, 0, day)
    warehouse.load(
      exchangeDetails,
      { name, year_established: 2020, tickers: [] },
      pageOf(exchangeDetails, SLICE, { observedAtMs }),
    )
  }
  const nameAt = (nowMs: number) =>
    (warehouse.answer('exchanges/{id}', { id: ID }, nowMs) as { name: string } | null)?.name
  expect(nameAt(NOW)).toBe('New')
  expect(nameAt(Date.UTC(2029, 0, 2))).toBe('Between')
  expect(nameAt(Date.UTC(2028, 0, 1))).toBeUndefined()
  expect(warehouse.answer('exchanges/{id}', { id: 'uniswap' }, NOW)).toBeNull()
})
