import { expect, test } from 'vitest'
import { movableClock } from '../parts/proof-warehouse.ts'
import type { AnswerSource } from '../../service/answer-source.ts'
import { plainService } from '../parts/serve-source.ts'

/** A source that counts how often it is asked, and says so. */
function countingSource(nowMs: number): { source: AnswerSource; clock: { set(ms: number): void } } {
  const clock = movableClock(nowMs)
  let asked = 0
  const source: AnswerSource = {
    clock,
    answer: () => Promise.resolve({ kind: 'json', body: { rates: { asked: (asked += 1) } } }),
    close: () => Promise.resolve(),
  }
  return { source, clock }
}

test('the same question in the same second is answered once; parameters and time tell apart', async () => {
  const { source, clock } = countingSource(Date.UTC(2025, 0, 1))
  const { app } = plainService(source)
  const ask = async (path: string): Promise<number> => {
    const body = (await (await app.request(`/v2/${path}`)).json()) as { rates: { asked: number } }
    return body.rates.asked
  }
  const markets = 'coins/markets?vs_currency=usd&page=2'
  expect(await ask('exchange_rates')).toBe(1)
  expect(await ask('exchange_rates')).toBe(1)
  expect(await ask(markets)).toBe(2)
  expect(await ask('coins/markets?page=2&vs_currency=usd')).toBe(2)
  expect(await ask('coins/markets?vs_currency=usd&page=3')).toBe(3)
  clock.set(Date.UTC(2025, 0, 1) + 999)
  expect(await ask('exchange_rates')).toBe(1)
  clock.set(Date.UTC(2025, 0, 1) + 1_000)
  expect(await ask('exchange_rates')).toBe(4)
})
