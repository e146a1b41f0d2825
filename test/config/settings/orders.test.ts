import { describe, expect, test } from 'vitest'
import { frozenClock } from '../../../config/clock.ts'
import type { ConfigFlags } from '../../../config/config-flags.ts'
import { orderLabel } from '../../../config/order-label.ts'
import { wantedFromConfig } from '../../../config/wanted.ts'
import { orderId } from '../../../plan/order-id.ts'
import { orderOf } from '../order-of.ts'
import { parse as parseText, problemsIn } from '../parse.ts'
import { shapes } from '../shapes.ts'

const SOURCE = 'source: { base_url: "https://api.example" }\n'
const SEVERAL = `${SOURCE}datasets:
  market_chart:
    - { name: hourly, coins: [bitcoin], granularity: hourly, from: 2024-01-01 }
    - { coins: top:500, granularity: 1d, from: 2020-01-01 }
    - { name: euro, coins: [bitcoin], vs_currencies: [eur], granularity: 1d, from: 2022-01-01 }
  coin_markets:
    - { coins: [bitcoin], every: 1h }
    - # the whole market, daily
`

const parse = (text: string, flags: ConfigFlags = {}) => parseText(text, { flags })

function labels(text: string, flags: ConfigFlags = {}): string[] {
  return parse(text, flags).datasets.map((order) => {
    const step = order.granularity
    return `${orderLabel(order)}${step === '' ? '' : ` ${step}`}`
  })
}

const problems = (text: string, flags: ConfigFlags = {}): string[] => problemsIn(text, { flags })

describe('orders of a dataset', () => {
  test('a list has an order a map, called by its name, its granularity or its period', () => {
    const config = parse(SEVERAL)
    expect(labels(SEVERAL)).toEqual([
      'market_chart/hourly 1h',
      'market_chart/1d 1d',
      'market_chart/euro 1d',
      'coin_markets/1h',
      'coin_markets/1d',
    ])
    expect(orderOf(config, 'market_chart/1d')).toMatchObject({
      origin: 'c.yaml:5',
      coins: { top: 500 },
    })
    expect(orderOf(config, 'coin_markets/1d')).toMatchObject({ coins: null, everyMs: 86_400_000 })
    expect(config.settings['datasets.market_chart/euro.vs_currencies']).toEqual({
      value: 'eur',
      origin: 'c.yaml:6',
    })
    expect(config.notes).toEqual([])
  })

  test('one map is one order, and has a name only where it is given', () => {
    expect(labels(`${SOURCE}datasets: { coins: , market_chart: { name: all } }`)).toEqual([
      'coins',
      'market_chart/all 1h',
    ])
  })

  test('a list of granularities is an order for each of them', () => {
    const short = `${SOURCE}datasets: { market_chart: { coins: [a], granularity: [hourly, 1d] } }`
    expect(labels(short)).toEqual(['market_chart/1h 1h', 'market_chart/1d 1d'])
    expect(parse(short).settings['datasets.market_chart/1d.coins']?.origin).toBe('c.yaml:2')
    const named = short.replace('{ coins', '{ name: some, coins')
    expect(labels(named)).toEqual(['market_chart/some-1h 1h', 'market_chart/some-1d 1d'])
  })

  test('the same order twice is two orders with names of their own', () => {
    const twice = `${SOURCE}datasets: { market_chart: [{ coins: [a] }, { coins: [a] }, { name: 1h-2 }] }`
    expect(labels(twice)).toEqual([
      'market_chart/1h 1h',
      'market_chart/1h-3 1h',
      'market_chart/1h-2 1h',
    ])
  })
})

describe('flags over several orders', () => {
  test('a key goes to all orders of a dataset', () => {
    const config = parse(SEVERAL, { coins: 'ethereum', from: '2023-01-01', vs: 'gbp' })
    for (const order of config.datasets) {
      expect(order).toMatchObject({ coins: { ids: ['ethereum'] }, vsCurrencies: ['gbp'] })
    }
    expect(orderOf(config, 'market_chart/euro')?.fromMs).toBe(Date.UTC(2023, 0, 1))
  })

  test.each<[ConfigFlags, string[]]>([
    [{ datasets: ['coin_markets/1h'] }, ['coin_markets/1h']],
    [
      { datasets: ['market_chart/euro', 'coin_markets/1d', 'market_chart/euro'] },
      ['market_chart/euro 1d', 'coin_markets/1d'],
    ],
    [{ datasets: ['coin_markets'] }, ['coin_markets/1h', 'coin_markets/1d']],
    [
      { granularity: 'daily', datasets: ['market_chart'] },
      ['market_chart/1d 1d', 'market_chart/euro 1d'],
    ],
    [
      { granularity: 'daily,hourly', datasets: ['market_chart'] },
      ['market_chart/1d 1d', 'market_chart/euro 1d', 'market_chart/hourly 1h'],
    ],
  ])('%j chooses', (flags, expected) => {
    expect(labels(SEVERAL, flags)).toEqual(expected)
    expect(parse(SEVERAL, flags).notes).toEqual([])
  })

  test('a granularity that no order has is one of this command, which is said', () => {
    const flags = { granularity: '5m', datasets: ['market_chart'] }
    expect(labels(SEVERAL, flags)).toEqual([
      'market_chart/hourly 5m',
      'market_chart/5m 5m',
      'market_chart/euro 5m',
    ])
    const { notes, settings } = parse(SEVERAL, flags)
    expect(notes).toEqual([
      'market_chart 5m is an order of this command only (flag --granularity); gaps, status and schedules use the orders of the file',
    ])
    expect(settings['datasets.market_chart/euro.granularity']?.origin).toBe('flag --granularity')
    const other = parse(SEVERAL, { granularity: 'hourly', datasets: ['market_chart/1d'] })
    expect(other.notes[0]).toMatch(/^market_chart 1h is an order of this command only/)
    const one = `${SOURCE}datasets: { market_chart: { coins: [a], granularity: [1h, 1d] } }`
    expect(labels(one, { granularity: '5m' })).toEqual(['market_chart 5m'])
  })

  test('of a dataset that the file does not have, each granularity is an order', () => {
    const flags = { datasets: ['market_chart', 'ohlc'], granularity: '1h,1d,4h', coins: 'a' }
    expect(labels(SOURCE, flags)).toEqual(['market_chart/1h 1h', 'market_chart/1d 1d', 'ohlc 4h'])
  })
})

test('what is asked for is the same, whatever it is called', () => {
  const idOf = (orders: string): string => {
    const config = parse(`${SOURCE}datasets: { market_chart: ${orders} }`)
    return orderId({ wanted: wantedFromConfig(config, shapes, frozenClock(Date.UTC(2025, 0, 1))) })
  }
  const keys = 'coins: [a], granularity: 1d, from: 2024-01-01'
  const before = idOf(`{ ${keys} }`)
  expect(idOf(`[{ name: daily, ${keys} }]`)).toBe(before)
  expect(idOf(`[{ ${keys} }, { name: more, ${keys} }]`)).not.toBe(before)
  // Of an order that an older coinlake has written: a schedule keeps it.
  expect(before).toBe('11ecd8686e37426207bf')
})

test('schedules and freshness name a dataset with all its orders, or one of them', () => {
  const config = parse(`${SEVERAL}schedules:
  hourly: { every: 1h, datasets: [market_chart/hourly, coin_markets] }
freshness: { market_chart/1d: 2d, coin_markets: 3h }
`)
  expect(config.schedules['hourly']?.datasets).toEqual(['market_chart/hourly', 'coin_markets'])
  expect(config.freshness).toEqual({ 'market_chart/1d': 172_800_000, coin_markets: 10_800_000 })
})

test('a schedule and a flag that name no order', () => {
  const schedule = 'schedules: { often: { every: 1h, datasets: [market_chart/hourl] } }\n'
  expect(problems(SEVERAL + schedule)).toEqual([
    'CONFIG_UNKNOWN_DATASET c.yaml:10:44: schedules.often.datasets names a dataset or an order that is not under `datasets:`: "market_chart/hourl" | Did you mean `market_chart/hourly`?',
  ])
  expect(problems(SEVERAL, { datasets: ['market_chart/weekly'] })).toEqual([
    'CONFIG_UNKNOWN_ORDER command line: there is no order "market_chart/weekly" | There are market_chart/hourly, market_chart/1d, market_chart/euro.',
  ])
  expect(
    problems(`${SOURCE}datasets: { market_chart: }`, { datasets: ['market_chart/1h'] }),
  ).toEqual([
    'CONFIG_UNKNOWN_ORDER command line: there is no order "market_chart/1h" | Write market_chart, because no order of it has a name.',
  ])
})
