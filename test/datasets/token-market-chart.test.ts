import { describe, expect, test } from 'vitest'
import { operationPath } from '../../api/operation-path.ts'
import { operations } from '../../api/operations.ts'
import { coins } from '../../datasets/coins.ts'
import { marketChart } from '../../datasets/market-chart.ts'
import { tokenMarketChart } from '../../datasets/token-market-chart.ts'
import { NOW_MS, stepsOf } from './context.ts'
import { Warehouse } from './warehouse.ts'

const DAYS = 'coins/{id}/contract/{contract_address}/market_chart'
const RANGE = `${DAYS}/range` as const
const DAY = 86_400_000
const CHECKSUMMED = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const USDT = CHECKSUMMED.toLowerCase()
const SLICE = { entity: `ethereum/${CHECKSUMMED}`, vsCurrency: 'usd', granularity: '1d' as const }
const ASKED = { id: 'ethereum', contract_address: CHECKSUMMED, vs_currency: 'usd' }

type Point = [number, number | null]
const chart = (...prices: Point[]) => ({
  prices,
  market_caps: prices.map(([ms]): Point => [ms, 0.123456]),
  total_volumes: prices.map(([ms]): Point => [ms, null]),
})

test('requests are those of market_chart, by platform and contract', () => {
  const paths = (granularity: '5m' | '1h' | '1d', entity: string) => {
    const bounds = { fromMs: NOW_MS - 10 * DAY, toMs: NOW_MS - 9 * DAY }
    const steps = stepsOf(tokenMarketChart, { ...SLICE, entity, granularity, ...bounds })
    return steps.map((step) => operationPath(operations[step.operation], step.params))
  }
  const path = `coins/ethereum/contract/${USDT}/market_chart`
  const from = (NOW_MS - 10 * DAY) / 1000
  expect(paths('5m', SLICE.entity)).toEqual([`${path}?vs_currency=usd&days=1`])
  expect(paths('1h', SLICE.entity)).toEqual([
    `${path}/range?vs_currency=usd&from=${from}&to=${from + (2 * DAY) / 1000}`,
  ])
  expect(paths('1d', 'osmosis/ibc/27394F')[0]).toContain(
    'coins/osmosis/contract/ibc%2F27394F/market_chart/range?',
  )
  expect(tokenMarketChart.reachMs('5m')).toBe(marketChart.reachMs('5m'))
})

describe('the service', () => {
  const warehouse = new Warehouse()
  const points = [3, 2, 1, 0].map((days): Point => [NOW_MS - days * DAY, 1.23456789 + days])
  warehouse.load(tokenMarketChart, chart(...points), SLICE)
  const get = (params: object) =>
    warehouse.answer(DAYS, { ...ASKED, interval: 'daily', days: 'max', ...params }) as {
      prices: Point[]
      market_caps: Point[]
    } | null

  test('finds a token whatever the case of its EVM address, and only on its platform', () => {
    expect(get({})?.prices).toEqual(points)
    expect(get({ contract_address: USDT })?.prices).toEqual(points)
    expect(get({ id: 'base' })).toBeNull()
    expect(get({ contract_address: `${USDT}0` })).toBeNull()
    expect(get({ vs_currency: 'eur' })?.prices).toEqual([])
  })

  test('cuts to the days and bounds asked for, and rounds prices only', () => {
    expect(get({ days: '1', precision: '2' })).toMatchObject({
      prices: [
        [NOW_MS - DAY, 2.23],
        [NOW_MS, 1.23],
      ],
      market_caps: [
        [NOW_MS - DAY, 0.123456],
        [NOW_MS, 0.123456],
      ],
    })
    const bounds = { from: String((NOW_MS - 2 * DAY) / 1000), to: String((NOW_MS - DAY) / 1000) }
    const range = warehouse.answer(RANGE, { ...ASKED, interval: 'daily', ...bounds })
    expect(range).toMatchObject({ prices: points.slice(1, 3) })
  })

  test('knows a token without a chart by the platforms of coins', () => {
    const listed = new Warehouse()
    const coin = { id: 'tether', symbol: 'usdt', name: 'Tether', platforms: { ethereum: USDT } }
    expect(listed.answer(DAYS, { ...ASKED, days: '1' })).toBeNull()
    listed.load(coins, [coin])
    expect(listed.answer(DAYS, { ...ASKED, days: '1' })).toEqual(chart())
  })
})
