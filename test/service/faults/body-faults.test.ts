import { DAY_MS } from '../../../config/values/duration.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { MARKET_NOW_MS, simulated } from '../tiny-market.ts'
import { serveFaulty } from '../../parts/faulty-service.ts'

type Points = [number, number | null][]
type Chart = Record<'prices' | 'market_caps' | 'total_volumes', Points>
type Row = Record<string, unknown>

const CHART = 'coins/bitcoin/market_chart?vs_currency=usd&days=7'
const MARKETS = 'coins/markets?vs_currency=usd'
const HOUR_MS = DAY_MS / 24
const source = simulated(afterAll)

/** The same path with a fault and without. */
async function both<T>(fault: string, path: string): Promise<{ bent: T; good: T }> {
  const faulty = await serveFaulty(source, `- ${fault}`)
  const honest = await serveFaulty(source, '')
  const [bent, good] = [await faulty.ask(path), await honest.ask(path)]
  expect([bent.status, bent.error, good.status]).toEqual([200, null, 200])
  expect(bent.headers['cache-control']).toBe('no-store')
  // The second answer comes out of the cache of answers, and must be bent from a good one again.
  expect(await faulty.ask(path)).toMatchObject({ status: 200 })
  const name = /[a-z_]{4,}/.exec(fault.replace('fault', ''))?.[0]
  expect(faulty.injected()).toEqual([name, name])
  return { bent: JSON.parse(bent.text) as T, good: JSON.parse(good.text) as T }
}

test('truncated_json: the length is right, the JSON is not', async () => {
  const { ask } = await serveFaulty(source, '- fault: truncated_json')
  const good = (await (await serveFaulty(source, '')).ask(CHART)).text
  for (const _ of [1, 2, 3]) {
    const { status, headers, text, error } = await ask(CHART)
    expect([status, error]).toEqual([200, null])
    expect(headers['content-length']).toBe(String(text.length))
    expect(good.startsWith(text)).toBe(true)
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
  }
})

test('html, wrong_content_type: a page, and good JSON that is called one', async () => {
  const page = await (await serveFaulty(source, '- fault: html')).ask(CHART)
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.text).toMatch(/^<!DOCTYPE html>/)
  const wrong = await (await serveFaulty(source, '- fault: wrong_content_type')).ask(CHART)
  expect([wrong.status, wrong.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(JSON.parse(wrong.text)).toHaveProperty('prices')
})

describe('pages', () => {
  test('clamped_pages: fewer than asked for', async () => {
    const { bent, good } = await both<Row[]>('{ fault: clamped_pages, most: 2 }', MARKETS)
    expect(good).toHaveLength(5)
    expect(bent).toEqual(good.slice(0, 2))
    const paged = `${MARKETS}&per_page=2&page=2`
    const small = await (
      await serveFaulty(source, '- { fault: clamped_pages, most: 2 }')
    ).ask(paged)
    expect(JSON.parse(small.text)).toEqual(good.slice(2, 4))
    expect(small.headers['cache-control']).not.toBe('no-store')
  })

  test('repeated_pages: page 2 is page 1 again', async () => {
    const { ask, injected } = await serveFaulty(source, '- fault: repeated_pages')
    const first = await ask(`${MARKETS}&per_page=2`)
    expect((await ask(`${MARKETS}&per_page=2&page=2`)).text).toBe(first.text)
    expect(injected()).toEqual(['', 'repeated_pages'])
  })

  test('rows_move: the last row of page 1 is the first of page 2', async () => {
    const all = JSON.parse((await (await serveFaulty(source, '')).ask(MARKETS)).text) as Row[]
    const { ask } = await serveFaulty(source, '- fault: rows_move')
    const page = async (number: number): Promise<unknown> =>
      JSON.parse((await ask(`${MARKETS}&per_page=2&page=${number}`)).text)
    expect(await page(1)).toEqual(all.slice(0, 2))
    expect(await page(2)).toEqual(all.slice(1, 3))
    expect(await page(3)).toEqual(all.slice(3, 4))
  })
})

test('duplicates: some twice, all arrays in the same places', async () => {
  const { bent, good } = await both<Chart>('{ fault: duplicates, share: 0.2 }', CHART)
  expect(bent.prices.length).toBeGreaterThan(good.prices.length)
  for (const key of ['prices', 'market_caps', 'total_volumes'] as const) {
    expect(unique(bent[key])).toEqual(unique(good[key]))
    expect(bent[key].map(([ms]) => ms)).toEqual(bent.prices.map(([ms]) => ms))
  }
  const rows = await both<Row[]>('fault: duplicates', MARKETS)
  expect(rows.bent.length).toBeGreaterThan(5)
  expect(unique(rows.bent)).toEqual(rows.good)
})

test('nulls: values that may be missing, or keys that may not', async () => {
  const { bent, good } = await both<Chart>('{ fault: nulls, share: 0.05 }', CHART)
  expect(bent.prices.map(([ms]) => ms)).toEqual(good.prices.map(([ms]) => ms))
  const holes = bent.prices.filter(([, value]) => value === null).length
  expect(holes).toBeGreaterThan(0)
  expect(holes).toBeLessThan(good.prices.length)
  const keys = await both<Chart>('{ fault: nulls, where: key }', CHART)
  expect(keys.bent.prices.some(([ms]) => ms === null)).toBe(true)
  const rows = await both<Row[]>('{ fault: nulls, where: key, share: 1 }', MARKETS)
  expect(rows.bent).toEqual(rows.good.map((row) => ({ ...row, id: null })))
})

test('unequal_arrays: market_caps have fewer points', async () => {
  const { bent, good } = await both<Chart>('fault: unequal_arrays', CHART)
  expect(bent.market_caps.length).toBeLessThan(good.market_caps.length)
  expect({ ...bent, market_caps: good.market_caps }).toEqual(good)
})

test('unordered_points: the same points in another order', async () => {
  const { bent, good } = await both<Chart>('fault: unordered_points', CHART)
  expect(bent.prices).not.toEqual(good.prices)
  expect(bent.prices.toSorted(([a], [b]) => a - b)).toEqual(good.prices)
  const candles = 'coins/bitcoin/ohlc?vs_currency=usd&days=7'
  const ohlc = await both<Points>('fault: unordered_points', candles)
  expect(ohlc.bent.toSorted(([a], [b]) => a - b)).toEqual(ohlc.good)
})

test('daily_for_hourly: the first point of each day', async () => {
  const { bent, good } = await both<Chart>('fault: daily_for_hourly', CHART)
  const day = ([ms]: Points[number]): number => Math.floor(ms / DAY_MS)
  expect(bent.prices.map(day)).toEqual([...new Set(good.prices.map(day))])
  expect(good.prices).toEqual(expect.arrayContaining(bent.prices))
})

test('revised_history: with `after: 1` the second answer differs, by a hundredth, never at the end', async () => {
  const { ask } = await serveFaulty(
    source,
    '- { fault: revised_history, after: 1, permanent: true }',
  )
  const [first, second, third] = [await ask(CHART), await ask(CHART), await ask(CHART)]
  expect(third.text).toBe(second.text)
  const [old, revised] = [first, second].map(({ text }) => (JSON.parse(text) as Chart).prices)
  const factors = revised!.map(([, value], place) => value! / old![place]![1]!)
  expect(factors.at(-1)).toBe(1)
  expect([...new Set(factors.map((factor) => factor.toFixed(4)))].toSorted()).toEqual([
    '1.0000',
    '1.0100',
  ])
})

test('late_points: nothing of the last hours', async () => {
  const { bent, good } = await both<Chart>(`{ fault: late_points, late_ms: ${3 * HOUR_MS} }`, CHART)
  const edgeMs = MARKET_NOW_MS - 3 * HOUR_MS
  expect(bent.prices).toEqual(good.prices.filter(([ms]) => ms <= edgeMs))
  expect(bent.prices.length).toBeLessThan(good.prices.length)
})

test('vanished_id: whatever is asked of it, for good, and its siblings stay', async () => {
  const faults = '- { fault: vanished_id, entities: [bitcoin], after: 1 }'
  const { ask, injected } = await serveFaulty(source, faults)
  const other = CHART.replace('bitcoin', 'ethereum')
  const statuses = []
  for (const path of [CHART, other, CHART, 'coins/bitcoin', CHART, other]) {
    statuses.push((await ask(path)).status)
  }
  expect(statuses).toEqual([200, 200, 404, 404, 404, 200])
  expect(injected()).toEqual(['', '', 'vanished_id', 'vanished_id', 'vanished_id', ''])
})

function unique<T>(list: readonly T[]): T[] {
  const texts = new Set(list.map((one) => JSON.stringify(one)))
  return [...texts].map((text) => JSON.parse(text) as T)
}
