import { DAY_MS } from '../../../config/values/duration.ts'
import { createHash } from 'node:crypto'
import { tableToIPC } from 'apache-arrow'
import { describe, expect, test } from 'vitest'
import { coinUniverse } from '../../../service/market/coin-universe.ts'
import { CURRENCIES } from '../../../service/market/currency-list.ts'
import { generateMarket } from '../../parts/generated-market.ts'
import { createMarket } from '../../../service/market/market.ts'
import type { MarketSpec } from '../../../service/market/market-spec.ts'
import { seriesTimes } from '../../../service/market/series-times.ts'
import { MARKET_NOW_MS, tinySpec } from '../tiny-market.ts'

function hashOf(spec: MarketSpec): string {
  const hash = createHash('sha256')
  for (const { table, rows } of generateMarket(spec)) hash.update(table).update(tableToIPC(rows))
  return hash.digest('hex')
}

test('the same seed makes the same bytes, another seed others', () => {
  expect(hashOf(tinySpec())).toBe(hashOf(tinySpec()))
  expect(hashOf(tinySpec({ seed: 8 }))).not.toBe(hashOf(tinySpec()))
})

/** `coin granularity ts` -> price, for all points but the one that stands at now. */
function pastPoints(spec: MarketSpec): Map<string, number> {
  const market = createMarket(spec)
  const usd = CURRENCIES.find(({ code }) => code === 'usd')!
  const points = new Map<string, number>()
  for (const coin of market.coins) {
    for (const { granularity, ts, knots } of seriesTimes(spec, coin)) {
      ts.forEach((ms, row) => {
        if (ms === spec.nowMs) return
        points.set(`${coin.id} ${granularity} ${ms}`, market.prices.price(coin, usd, knots[row]!))
      })
    }
  }
  return points
}

test('a point that comes late is not there before its time, and there with it later', () => {
  const hourMs = Date.UTC(2025, 5, 15, 13)
  const early = tinySpec({ coins: 12, nowMs: hourMs + 40_000, moving: false })
  const late = tinySpec({ coins: 12, nowMs: hourMs + 1_600_000, moving: false })
  const ofHour = (spec: MarketSpec): number[] =>
    createMarket(spec).coins.flatMap((coin) => {
      const hourly = seriesTimes(spec, coin).find(({ granularity }) => granularity === '1h')!
      expect(hourly.knots.length).toBe(hourly.ts.length)
      expect(Math.max(...hourly.ts)).toBeLessThanOrEqual(spec.nowMs)
      return [...hourly.ts].filter((ms) => ms >= hourMs)
    })
  const [before, after] = [ofHour(early), ofHour(late)]
  expect(after.length).toBe(12)
  expect(before.length).toBeGreaterThan(0)
  expect(before.length).toBeLessThan(12)
  expect(after.filter((ms) => ms <= early.nowMs)).toEqual(before)
})

describe('the past stays as it was', () => {
  const base = tinySpec({ coins: 12, fiveMinute: false })
  test.each([
    ['with a longer history', tinySpec({ ...base, dailyDays: 300, hourlyDays: 60 })],
    ['with more coins', tinySpec({ ...base, coins: 40 })],
    [
      'an hour later',
      tinySpec({ ...base, nowMs: MARKET_NOW_MS + 3_600_000, dailyDays: 31, hourlyDays: 11 }),
    ],
    [
      'two days later',
      tinySpec({ ...base, nowMs: MARKET_NOW_MS + 2 * DAY_MS, dailyDays: 32, hourlyDays: 12 }),
    ],
  ])('%s', (_, later) => {
    const before = pastPoints(base)
    const after = pastPoints(later)
    expect(before.size).toBeGreaterThan(12 * (30 + 239))
    expect(after.size).toBeGreaterThan(before.size)
    for (const [point, price] of before) expect(after.get(point), point).toBe(price)
  })
})

test('the ids include those that break careless readers', () => {
  const coins = coinUniverse(1, 300, MARKET_NOW_MS)
  expect(coins.length).toBe(300)
  expect(new Set(coins.map(({ id }) => id)).size).toBe(300)
  const ids = coins.map(({ id }) => id)
  for (const odd of ['1move token', 'boringdao-[old]', '_']) expect(ids).toContain(odd)
  const symbols = coins.map(({ symbol }) => symbol)
  for (const odd of ['null', 'true', '', 'inf', '000']) expect(symbols).toContain(odd)
  expect(new Set(symbols).size).toBeLessThan(300)
  expect(coins.some(({ name }) => /[\u{10000}-\u{10ffff}]/u.test(name))).toBe(true)
  expect(coins.some(({ name }) => name.startsWith('='))).toBe(true)
})

test('young coins start late, with a market cap that is unknown at first', () => {
  const spec = tinySpec({ coins: 80, dailyDays: 400, fiveMinute: false, hourlyDays: 0 })
  const market = createMarket(spec)
  const usd = market.currencies[0]!
  const young = market.coins.filter((coin) => coin.listedDay * DAY_MS > spec.nowMs - 350 * DAY_MS)
  expect(young.length).toBeGreaterThan(1)
  for (const coin of young) {
    const [daily] = seriesTimes(spec, coin)
    expect(daily!.ts[0]).toBe(coin.listedDay * DAY_MS)
    const caps = Array.from(daily!.knots, (knot) => market.prices.marketCap(coin, usd, knot))
    expect(caps.slice(0, 14)).toEqual(Array(14).fill(0))
    expect(caps[14]).not.toBe(0)
  }
})

test('without moving ends every point and candle is over', () => {
  for (const { table, rows } of generateMarket(tinySpec({ moving: false }))) {
    const column = { market_chart: 'ts', ohlc: 'close_at' }[table]
    if (column === undefined) continue
    const times = rows.getChild(column)!.toArray() as BigInt64Array
    const newestMs = Number(times.reduce((a, b) => (a > b ? a : b)) / 1000n)
    expect(newestMs).toBeLessThanOrEqual(MARKET_NOW_MS)
    expect(newestMs).not.toBe(MARKET_NOW_MS)
  }
})

test('over its years coins are listed, delisted and renamed, and keep their ids', () => {
  const on = (year: number) =>
    new Map(coinUniverse(1, 300, Date.UTC(year, 5, 15)).map((coin) => [coin.id, coin]))
  const [early, late] = [on(2022), on(2026)]
  const gone = [...early.values()].filter(({ delistedDay }) => delistedDay !== undefined)
  expect(gone.some(({ id }) => !late.has(id))).toBe(true)
  expect([...late.keys()].some((id) => !early.has(id))).toBe(true)
  const renamed = [...early.values()].filter(({ id, name }) => {
    const later = late.get(id)
    return later !== undefined && later.name !== name
  })
  expect(renamed.length).toBeGreaterThan(0)
  for (const { id, name, symbol } of renamed) {
    expect(name).toBe(`${late.get(id)!.name} Classic`)
    expect(symbol).toBe(`old${late.get(id)!.symbol}`)
  }
})
