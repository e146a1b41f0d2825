import { DAY_MS } from '../../../config/values/duration.ts'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { GRANULARITY_MS } from '../../../api/granularity.ts'
import { createMarket } from '../../../service/market/market.ts'
import { asking, MARKET_NOW_MS, simulated, tinySpec } from '../tiny-market.ts'

/** Bitcoin, the dollar coin and three odd ids; dollars, euros and bitcoin. */
const SPEC = tinySpec({
  coins: 8,
  hourlyDays: 31,
  dailyDays: 120,
  vsCurrencies: ['usd', 'eur', 'btc'],
})
const market = createMarket(SPEC)

type Points = [number, number | null][]
type Chart = Record<'prices' | 'market_caps' | 'total_volumes', Points>
type MarketEntry = Record<string, number> & { id: string }
interface Ticker {
  base: string
  target: string
  last: number
  volume: number
  coin_id: string
  target_coin_id?: string
  is_stale: boolean
  is_anomaly: boolean
  converted_last: Record<string, number>
  converted_volume: Record<string, number>
}

const ask = asking(simulated(afterAll, SPEC))

async function get<T>(path: string): Promise<T> {
  const { status, body } = await ask(path)
  expect(status, path).toBe(200)
  return body as T
}

function chart(id: string, vs: string, days: number | 'max'): Promise<Chart> {
  return get(`coins/${encodeURIComponent(id)}/market_chart?vs_currency=${vs}&days=${days}`)
}

test.each(['usd', 'eur', 'btc'])(
  'markets tell the last point of every chart, in %s',
  async (vs) => {
    for (const entry of await get<MarketEntry[]>(`coins/markets?vs_currency=${vs}&per_page=250`)) {
      for (const days of [1, 30, 120]) {
        const { prices, market_caps, total_volumes } = await chart(entry.id, vs, days)
        expect(prices.at(-1)).toEqual([MARKET_NOW_MS, entry['current_price']])
        expect(market_caps.at(-1)).toEqual([MARKET_NOW_MS, entry['market_cap']])
        expect(total_volumes.at(-1)).toEqual([MARKET_NOW_MS, entry['total_volume']])
      }
      const day = (await chart(entry.id, vs, 1)).prices.map(([, price]) => price!)
      expect(entry['high_24h']).toBeGreaterThanOrEqual(Math.max(...day))
      expect(entry['low_24h']).toBeLessThanOrEqual(Math.min(...day))
      const ever = (await chart(entry.id, vs, 'max')).prices.map(([, price]) => price!)
      expect(entry['ath']).toBeGreaterThanOrEqual(Math.max(...ever))
      expect(entry['atl']).toBeLessThanOrEqual(Math.min(...ever))
    }
  },
)

test('ranks follow the market caps; changes follow the prices', async () => {
  const entries = await get<MarketEntry[]>('coins/markets?vs_currency=usd')
  const ranked = entries.filter((entry) => entry['market_cap_rank'] !== null)
  expect(ranked.map((entry) => entry['market_cap_rank'])).toEqual(ranked.map((_, i) => i + 1))
  const caps = ranked.map((entry) => entry['market_cap']!)
  expect(caps).toEqual(caps.toSorted((a, b) => b - a))
  for (const entry of entries) {
    const before = entry['current_price']! - entry['price_change_24h']!
    const percent = (entry['current_price']! / before - 1) * 100
    expect(entry['price_change_percentage_24h']).toBeCloseTo(percent, 4)
    expect(entry['market_cap']).toBeCloseTo(
      entry['current_price']! * entry['circulating_supply']!,
      -3,
    )
  }
})

describe('shape of the series', () => {
  test('5 minutes for a day, hours for 30, days at midnight beyond, each ending now', async () => {
    const fine = await chart('bitcoin', 'usd', 1)
    expect(fine.prices.length).toBeGreaterThanOrEqual(287)
    expect(fine.prices.length).toBeLessThanOrEqual(290)
    const hourly = (await chart('bitcoin', 'usd', 30)).prices.map(([ts]) => ts)
    expect(hourly.length).toBeGreaterThanOrEqual(720)
    expect(hourly.length).toBeLessThanOrEqual(722)
    // Off the grid to the millisecond, and still one an hour.
    expect(hourly.filter((ts) => ts % 3_600_000 === 0).length).toBeLessThan(3)
    expect(new Set(hourly.slice(0, -1).map((ts) => Math.floor(ts / 3_600_000))).size).toBe(
      hourly.length - 1,
    )
    const daily = (await chart('bitcoin', 'usd', 'max')).prices.map(([ts]) => ts)
    expect(daily.length).toBe(121)
    expect(daily.slice(0, -1).every((ts) => ts % DAY_MS === 0)).toBe(true)
    for (const series of [hourly, daily]) expect(series.at(-1)).toBe(MARKET_NOW_MS)
  })

  test('a day in the past is hourly; 91 days are daily', async () => {
    const from = MARKET_NOW_MS / 1000 - 86_400 * 10
    const path = 'coins/bitcoin/market_chart/range?vs_currency=usd'
    const past = await get<Chart>(`${path}&from=${from}&to=${from + 86_400}`)
    expect(past.prices.length).toBe(24)
    const wide = await get<Chart>(`${path}&from=${from - 86_400 * 81}&to=${from + 86_400 * 10}`)
    expect(wide.prices.length).toBe(92)
  })

  test('a window before the first hour is empty, and has its days with interval=daily', async () => {
    const to = MARKET_NOW_MS / 1000 - 86_400 * 40
    const path = `coins/bitcoin/market_chart/range?vs_currency=usd&from=${to - 86_400 * 10}&to=${to}`
    expect((await get<Chart>(path)).prices).toEqual([])
    expect((await get<Chart>(`${path}&interval=daily`)).prices).toHaveLength(10)
  })

  test('a midnight price is the same by the day, the hour and the candle', async () => {
    const midnight = Math.floor(MARKET_NOW_MS / DAY_MS) * DAY_MS
    const daily = new Map((await chart('solana', 'usd', 'max')).prices)
    const hourly = (await chart('solana', 'usd', 30)).prices
    const atMidnight = hourly.find(([ts]) => Math.floor(ts / 3_600_000) * 3_600_000 === midnight)!
    expect(atMidnight[1]).toBe(daily.get(midnight))
    const candles = await get<number[][]>('coins/solana/ohlc?vs_currency=usd&days=7')
    const opening = candles.find(([close]) => close! - GRANULARITY_MS['4h'] === midnight)!
    expect(opening[1]).toBe(daily.get(midnight))
  })
})

test('the history of a day is its daily point, as far back as the chart goes', async () => {
  const { prices, market_caps, total_volumes } = await chart('bitcoin', 'usd', 'max')
  interface Day {
    market_data?: Record<'current_price' | 'market_cap' | 'total_volume', { usd: number }>
  }
  const dayAt = (ms: number): Promise<Day> =>
    get(`coins/bitcoin/history?date=${new Date(ms).toISOString().slice(0, 10)}`)
  const ofDays = prices.flatMap(([ms], place) => (ms % DAY_MS === 0 ? [place] : []))
  expect(ofDays).toHaveLength(120)
  // The last one is that of today, which has not ended.
  const today = ofDays.pop()!
  for (const place of ofDays) {
    const [ms, price] = prices[place]!
    expect((await dayAt(ms)).market_data, new Date(ms).toISOString()).toMatchObject({
      current_price: { usd: price },
      market_cap: { usd: market_caps[place]![1] },
      total_volume: { usd: total_volumes[place]![1] },
    })
  }
  for (const ms of [prices[today]![0], prices[0]![0] - DAY_MS]) {
    const day = await dayAt(ms)
    expect(day).toMatchObject({ id: 'bitcoin', name: 'Bitcoin' })
    expect(day).not.toHaveProperty('market_data')
  }
})

test.each([
  [1, '30m'],
  [30, '4h'],
  [365, '4d'],
] as const)('candles over %d days (%s) enclose every point of the charts', async (days, step) => {
  for (const { id } of market.coins) {
    const path = `coins/${encodeURIComponent(id)}/ohlc?vs_currency=eur&days=${days}`
    const candles = await get<number[][]>(path)
    const stepMs = GRANULARITY_MS[step]
    const lastClose = candles.at(-1)![0]!
    expect([lastClose > MARKET_NOW_MS, lastClose - MARKET_NOW_MS <= stepMs]).toEqual([true, true])
    const points = [
      ...(await chart(id, 'eur', 1)).prices,
      ...(await chart(id, 'eur', 30)).prices,
      ...(await chart(id, 'eur', 'max')).prices,
    ]
    let inside = 0
    for (const [close, open, high, low, last] of candles as [
      number,
      number,
      number,
      number,
      number,
    ][]) {
      const here = points.filter(([ts]) => ts >= close - stepMs && ts < close)
      inside += here.length
      const prices = [open, last, ...here.map(([, price]) => price!)]
      expect(high).toBeGreaterThanOrEqual(Math.max(...prices))
      expect(low).toBeLessThanOrEqual(Math.min(...prices))
    }
    expect(inside).toBeGreaterThan(250)
  }
})

test('rates, charts and tickers tell one price', async () => {
  const { rates } = await get<{ rates: Record<string, { value: number }> }>('exchange_rates')
  const now = async (id: string, vs: string): Promise<number> =>
    (await chart(id, vs, 1)).prices.at(-1)![1]!
  const btcUsd = await now('bitcoin', 'usd')
  expect(rates['btc']!.value).toBe(1)
  expect(await now('bitcoin', 'btc')).toBe(1)
  expect(rates['sats']!.value).toBe(1e8)
  expect(rates['usd']!.value).toBeCloseTo(btcUsd, 2)
  expect(rates['eur']!.value).toBeCloseTo(await now('bitcoin', 'eur'), 2)
  expect(rates['eth']!.value).toBeCloseTo(btcUsd / (await now('ethereum', 'usd')), 2)
})

test('search finds what trends, with pictures of two sizes', async () => {
  type Found = Record<'coins' | 'nfts', { id: string; thumb: string; large: string }[]>
  const { nfts } = await get<{ nfts: { id: string }[] }>('search/trending')
  for (const { id } of nfts) {
    expect((await get<Found>(`search?query=${id}`)).nfts.map((nft) => nft.id)).toEqual([id])
  }
  const [solana] = (await get<Found>('search?query=solana')).coins
  expect(solana!.thumb).toBe(solana!.large.replace('/large/', '/thumb/'))
  expect(solana!.thumb).not.toBe(solana!.large)
})

test('search answers recorded texts as it answers others', async () => {
  const search = asking(simulated(onTestFinished, tinySpec({ coins: 60 })))
  const recorded = await search('search?query=coin')
  expect(recorded.body).toMatchObject({ coins: { 0: { id: 'bitcoin' }, length: 11 } })
  for (const text of ['COIN', 'oin']) expect(await search(`search?query=${text}`)).toEqual(recorded)
})

test('tickers lie near the price, and their volumes add up', async () => {
  const exchanges = await get<{ id: string; trade_volume_24h_btc: number }[]>('exchanges')
  const traded = new Map<string, number>()
  let good = 0
  for (const { id, trade_volume_24h_btc } of exchanges) {
    const { tickers } = await get<{ tickers: Ticker[] }>(`exchanges/${id}/tickers`)
    let btc = 0
    for (const ticker of tickers) {
      const prices = await chart(ticker.coin_id, 'usd', 1)
      const price = prices.prices.at(-1)![1]!
      const { usd } = ticker.converted_last
      traded.set(
        ticker.coin_id,
        (traded.get(ticker.coin_id) ?? 0) + ticker.converted_volume['usd']!,
      )
      expect(ticker.volume * usd!).toBeCloseTo(ticker.converted_volume['usd']!, -2)
      if (ticker.is_stale || ticker.is_anomaly) continue
      good += 1
      btc += ticker.converted_volume['btc']!
      expect(Math.abs(usd! / price - 1)).toBeLessThan(0.004)
      const isFiat = ['USD', 'EUR', 'KRW'].includes(ticker.target)
      expect('target_coin_id' in ticker).toBe(!isFiat)
    }
    expect(btc).toBeCloseTo(trade_volume_24h_btc, 3)
  }
  expect(good).toBeGreaterThan(10)
  for (const [id, usd] of traded) {
    const volume = (await chart(id, 'usd', 1)).total_volumes.at(-1)![1]!
    expect(usd / volume).toBeCloseTo(1, 9)
  }
})

test('a derivative exchange is listed with the others, and its volume chart is near its volume', async () => {
  interface Venue {
    id: string
    name: string
    trade_volume_24h_btc: string
  }
  const all = await get<{ id: string; name: string }[]>('exchanges/list')
  for (const { id, name, trade_volume_24h_btc } of await get<Venue[]>('derivatives/exchanges')) {
    expect(all).toContainEqual({ id, name })
    const points = await get<[number, string][]>(`exchanges/${id}/volume_chart`)
    expect(points).toHaveLength(144)
    for (const [, volume] of points) {
      expect(Number(volume) / Number(trade_volume_24h_btc)).toBeCloseTo(1, 0)
    }
  }
})

test.each([
  [7, '1h'],
  [14, '1h'],
  [365, '1d'],
] as const)(
  'the volume of an exchange over %i days has a point every %s, those of its ten minutes',
  async (days, step) => {
    const volumes = (over: number): Promise<[number, string][]> =>
      get(`exchanges/gdax/volume_chart?days=${over}`)
    const points = await volumes(days)
    const stepMs = GRANULARITY_MS[step]
    expect(points.length).toBe((days * DAY_MS) / stepMs)
    const lastMs = Math.floor(MARKET_NOW_MS / stepMs) * stepMs
    const times = points.map((_, place) => lastMs - (points.length - 1 - place) * stepMs)
    expect(points.map(([ms]) => ms)).toEqual(times)
    const ofLastDay = new Map(await volumes(1))
    const shared = points.filter(([ms]) => ofLastDay.has(ms))
    expect(shared.length).toBe(DAY_MS / stepMs)
    for (const [ms, volume] of shared) expect(ofLastDay.get(ms)).toBe(volume)
  },
)
