import { expect, test } from 'vitest'
import { frozenClock } from '../../../config/clock.ts'
import { operations } from '../../../api/operations.ts'
import type { Answered, AnswerSource } from '../../../service/answer-source.ts'
import { createMarket } from '../../../service/market/market.ts'
import { createSimulatedSource } from '../../../service/simulated/simulated-source.ts'
import { holdMarket } from '../../parts/held-market.ts'
import { everyRequest } from '../every-request.ts'
import { tinySpec } from '../tiny-market.ts'

const SPEC = tinySpec({
  coins: 8,
  historyDays: 2,
  vsCurrencies: ['usd', 'btc'],
})
const REQUESTS = everyRequest(createMarket(SPEC))

/** Each request with its answer, so many of them asked at once. */
async function answersOf(
  source: AnswerSource,
  atOnce: number,
  requests = REQUESTS,
): Promise<string[]> {
  const told: string[] = []
  for (let first = 0; first < requests.length; first += atOnce) {
    const asked = requests.slice(first, first + atOnce).map(async (request) => {
      const answered = await source.answer(request.operation, request.params)
      const isOfCandles = request.operation === 'coins/{id}/ohlc'
      return `${JSON.stringify(request)} ${JSON.stringify(isOfCandles ? closedOf(answered) : answered)}`
    })
    told.push(...(await Promise.all(asked)))
  }
  return told
}

/** Candles that have closed. The last one of a market still runs, and a warehouse answers none that does. */
function closedOf(answered: Answered): Answered {
  if (answered.kind !== 'json') return answered
  const body = (answered.body as number[][]).filter(([closeMs]) => closeMs! <= SPEC.nowMs)
  return { ...answered, body }
}

test('rows in memory, made on demand, are answered as the same rows in DuckDB', async () => {
  expect(new Set(REQUESTS.map(({ operation }) => operation)).size).toBe(32)
  expect(Object.keys(operations).length).toBe(32)
  const { source: upFront } = await holdMarket(SPEC, frozenClock(SPEC.nowMs))
  const onDemand = createSimulatedSource(SPEC)
  // Holds one thing at most: everything is thrown away and made anew again and again.
  const crowded = createSimulatedSource(SPEC, 1)
  try {
    const wanted = await answersOf(upFront, 1)
    const notFound = wanted.filter((told) => told.endsWith('{"kind":"not_found"}'))
    expect(notFound.length).toBeGreaterThan(10)
    expect(notFound.length).toBeLessThan(wanted.length / 4)
    // All at once, as many callers would; then again, of what is held by then.
    expect(await answersOf(onDemand, REQUESTS.length)).toEqual(wanted)
    expect(await answersOf(onDemand, REQUESTS.length)).toEqual(wanted)
    const everyFifth = (_: unknown, place: number): boolean => place % 5 === 0
    const some = REQUESTS.filter(everyFifth)
    expect(await answersOf(crowded, 2, some)).toEqual(wanted.filter(everyFifth))
  } finally {
    for (const source of [upFront, onDemand, crowded]) await source.close()
  }
})
