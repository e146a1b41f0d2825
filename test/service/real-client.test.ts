import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../api/operations.ts'
import { describeDetails } from './real-client/detail-tests.ts'
import { describeExchanges } from './real-client/exchange-tests.ts'
import { describeListings } from './real-client/listing-tests.ts'
import { describeMarket } from './real-client/market-tests.ts'
import { openRealClient } from './real-client/real-client.ts'
import type { RealClient } from './real-client/real-client.ts'
import { describeSeries } from './real-client/series-tests.ts'
import { tinySpec } from './tiny-market.ts'

const sdk = {} as RealClient

beforeAll(async () => {
  const spec = tinySpec({
    coins: 12,
    vsCurrencies: ['usd', 'eur'],
    dailyDays: 120,
    hourlyDays: 100,
    tickersPerExchange: 120,
  })
  Object.assign(sdk, await openRealClient(spec))
}, 120_000)

afterAll(async () => {
  const { asked, db } = sdk
  console.log(`the SDK asked ${asked.size} operations; ${db.compared()} values are the warehouse's`)
  await sdk.close()
})

/** The official SDK of the provider, against the command line that serves a warehouse on disk. */
describe('every answer that the SDK gets is what the warehouse holds', () => {
  describeListings(sdk)
  describeSeries(sdk)
  describeDetails(sdk)
  describeExchanges(sdk)
  describeMarket(sdk)

  test('and every operation of the interface was asked', () => {
    expect([...sdk.asked].sort()).toEqual(Object.keys(operations).sort())
  })

  test('a wrong key is the error that the SDK knows', async () => {
    const stranger = sdk.client.withOptions({ proAPIKey: 'CG-wrong' })
    await expect(stranger.ping.get()).rejects.toMatchObject({ status: 401 })
    await expect(sdk.client.coins.getID('nobody')).rejects.toMatchObject({ status: 404 })
  })
})
