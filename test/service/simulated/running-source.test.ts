import { expect, onTestFinished, test } from 'vitest'
import type { OperationId } from '../../../api/operations.ts'
import type { ParamValues } from '../../../api/operations/describe-operation.ts'
import { createRunningSource } from '../../../service/simulated/running-source.ts'
import { MARKET_PRESETS } from '../../../service/market/market-spec.ts'

const HOUR_MS = 3_600_000
const START_MS = Date.UTC(2026, 0, 15, 23, 10, 30)
const SPEC = { ...MARKET_PRESETS.tiny, coins: 2, exchanges: 1, seed: 5 }

async function market() {
  let nowMs = START_MS
  const source = createRunningSource(SPEC, { nowMs: () => nowMs })
  onTestFinished(() => source.close())
  const body = async (operation: OperationId, params: ParamValues): Promise<unknown> => {
    const answered = await source.answer(operation, params)
    return answered.kind === 'json' ? answered.body : answered.kind
  }
  return {
    source,
    body,
    chart: async (days: number): Promise<[number, number][]> => {
      const params = { id: 'bitcoin', vs_currency: 'usd', days: String(days), precision: 'full' }
      const told = await body('coins/{id}/market_chart', params)
      return (told as { prices: [number, number][] }).prices
    },
    pass: (ms: number): void => {
      nowMs += ms
    },
  }
}

test('an hour later the hours before are the same, a new one is there, and the last point is now', async () => {
  const { chart, pass, body } = await market()
  const before = await chart(7)
  const listed = await body('coins/markets', { vs_currency: 'usd' })
  expect(before.at(-1)![0]).toBe(START_MS - 30_000)
  pass(HOUR_MS)
  const after = await chart(7)
  expect(after.at(-1)![0]).toBe(START_MS - 30_000 + HOUR_MS)
  const closed = before.slice(0, -1)
  const since = after.filter(([ts]) => ts >= closed[0]![0])
  // The oldest hour has left the seven days.
  expect(since.slice(0, closed.length - 1)).toEqual(closed.slice(1))
  const news = after.filter(([ts]) => ts > closed.at(-1)![0])
  expect(news).toHaveLength(2)
  expect(news[0]![0] - Date.UTC(2026, 0, 16)).toBeLessThan(25 * 60_000)
  expect(await body('coins/markets', { vs_currency: 'usd' })).not.toEqual(listed)
})

test('the close of a day is not there before 00:35', async () => {
  const { chart, pass } = await market()
  const midnightMs = Date.UTC(2026, 0, 16)
  const isThere = async (): Promise<boolean> => (await chart(91)).some(([ts]) => ts === midnightMs)
  pass(midnightMs + 34 * 60_000 - START_MS)
  expect(await isThere()).toBe(false)
  pass(HOUR_MS)
  expect(await isThere()).toBe(true)
})

test('who reads while the market is made anew gets an answer, and equal minutes equal answers', async () => {
  const [one, other] = [await market(), await market()]
  for (let minute = 0; minute < 3; minute++) {
    one.pass(90_000)
    other.pass(90_000)
    const answers = await Promise.all([one.chart(1), one.chart(1), one.body('global', {})])
    expect(answers[0].length).toBeGreaterThan(280)
  }
  one.pass(3 * HOUR_MS)
  other.pass(3 * HOUR_MS)
  expect(await one.chart(1)).toEqual(await other.chart(1))
  expect((await one.source.currencies?.())?.has('usd')).toBe(true)
})
