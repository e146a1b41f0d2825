import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { frozenClock } from '../../../config/clock.ts'
import { profiles } from '../../../config/profiles.ts'
import { initTemplate } from '../../../config/settings/init-template.ts'
import type { CoinChoice } from '../../../config/values/coin-selector.ts'
import type { ConfigFlags } from '../../../config/config-flags.ts'
import { orderLabel } from '../../../config/order-label.ts'
import { wantedFromConfig } from '../../../config/wanted.ts'
import { orderOf } from '../order-of.ts'
import { parse as load } from '../parse.ts'
import { shapes } from '../shapes.ts'

const HOUR_MS = 3_600_000

const names = shapes.map((shape) => shape.name)

const flags: ConfigFlags = {
  profile: 'interface',
  baseUrl: 'http://127.0.0.1:8400',
  coins: 'bitcoin,boringdao-[old],null,1move token',
  exchanges: 'binance,kraken',
  derivativeExchanges: 'binance_futures',
  tokens: 'ethereum/0xdac17f958d2ee523a2206206994597c13d831ec7',
  queries: 'bitcoin,wrapped: ether',
  vs: 'usd,eur',
  granularity: '30m,1d',
  from: '2024-01-01',
  every: '6h',
  datasets: names,
}

function fileOf(more: ConfigFlags = {}): string {
  return initTemplate(load('{}', { flags: { ...flags, ...more } }), shapes)
}

test('the file that init writes loads and can be planned', () => {
  const text = fileOf()
  expect(text.split('\n')[0]).toBe(
    '# yaml-language-server: $schema=./node_modules/coinlake/config/config.schema.json',
  )
  expect(text).toContain('  # All of market_chart.\n  market_chart:\n')
  const config = load(text)
  expect(config.source.keyMissing).toBe('env COINLAKE_API_KEY is not set')
  const wanted = wantedFromConfig(config, shapes, frozenClock(Date.UTC(2025, 0, 1)))
  expect(wanted.map((one) => one.dataset)).toEqual(names)
  const chart = wanted.find((one) => one.dataset === 'market_chart')
  expect(chart).toMatchObject({
    entities: ['bitcoin', 'boringdao-[old]', 'null', '1move token'],
    granularity: '1d',
    vsCurrencies: ['usd', 'eur'],
  })
  expect(orderOf(config, 'ohlc')?.granularity).toBe('30m')
  expect(orderOf(config, 'search_results')?.queries).toEqual(['bitcoin', 'wrapped: ether'])
  expect(orderOf(config, 'exchange_tickers')?.exchanges).toEqual(['binance', 'kraken'])
})

test('coin_markets gets the chosen coins only if no other dataset needs them', () => {
  const coins = { top: 50 }
  const both = load(fileOf({ coins: 'top:50' }))
  expect(orderOf(both, 'coin_markets')?.coins).toBeNull()
  expect(orderOf(both, 'market_chart')?.coins).toEqual(coins)
  const alone = load(
    initTemplate(
      load('{}', {
        flags: { baseUrl: flags.baseUrl, coins: 'top:50', datasets: ['coin_markets'] },
      }),
      shapes,
    ),
  )
  expect(orderOf(alone, 'coin_markets')?.coins).toEqual(coins)
})

test('catalogues are read once a day at most', () => {
  const config = load(fileOf())
  expect(orderOf(config, 'coins')?.everyMs).toBe(24 * HOUR_MS)
  expect(orderOf(config, 'coin_markets')?.everyMs).toBe(6 * HOUR_MS)
})

/** Commented lines that conflict with the rest of the file: other settings of the API key, and the DuckLake store. */
const CONFLICTING = /^(?:  # api_key(?:_file|s|_files)|# store|#   ducklake):/

test('the file also loads when each commented setting loses its first `#`, with the limits of a demo key', () => {
  const text = fileOf()
  const demo = profiles['coingecko-demo']
  const lines = text.split('\n').filter((line) => !CONFLICTING.test(line))
  const whole = lines.map((line) => line.replace(/^( *)# (?=(?: *)(?:# )?\w+:)/, '$1')).join('\n')
  expect(load(whole)).toMatchObject({
    lake: null,
    stage: { at: null, keep: 'forever' },
    parquet: { version: 'v2', bucket: null },
    publish: { every: 900_000 },
    schedules: { daily: { times: { kind: 'times' } } },
    freshness: { coins: 5 * HOUR_MS },
    whyNoAlerts: 'env COINLAKE_ALERT_WEBHOOK is not set',
    metrics: { kind: 'prometheus', port: 9464 },
    log: { format: 'text', level: 'info' },
    source: {
      monthlyCalls: demo.monthlyCalls,
      monthlyReserve: 1_000,
      rate: demo.rate!,
      maxHistoryDays: demo.maxHistoryDays,
      timeoutMs: 30_000,
      concurrency: 16,
    },
  })
})

test('any answers make a file that loads, with their datasets and coins', () => {
  const whole = load('{}', { flags })
  const id = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => {
    return text.trim() === text && !/[,\p{Cc}]|\$\{|^(top:|category:|all$)/u.test(text)
  })
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(profiles)),
      fc.oneof(
        fc.constantFrom<CoinChoice>({ top: 25 }, { category: 'a: b' }, { all: true }),
        fc.uniqueArray(id, { minLength: 1, maxLength: 4 }).map((ids) => ({ ids })),
      ),
      fc.shuffledSubarray([...whole.datasets], { minLength: 1 }),
      (profile, coins, chosen) => {
        const datasets = chosen.map((order) => ({ ...order, coins }))
        const source = { ...whole.source, profile, monthlyCalls: profile.monthlyCalls }
        const config = load(initTemplate({ ...whole, source, datasets }, shapes))
        expect(config.datasets.map(orderLabel)).toEqual(datasets.map(orderLabel))
        const chart = orderOf(config, 'market_chart')?.coins
        if (chart === undefined) return
        expect(chart).toEqual(coins)
      },
    ),
  )
})
