import { expect, test } from 'vitest'
import { DAY_MS } from '../../api/granularity.ts'
import type { AnswerSource } from '../../service/answer-source.ts'
import { MARKET_PRESETS } from '../../service/market/market-spec.ts'
import { movableClock, openWarehouse, PROOF_TIMEOUT_MS, serve } from '../proof/harness.ts'
import { holdMarket } from '../proof/held-market.ts'

const NOW_MS = Date.UTC(2024, 3, 10, 5, 30)
const DAYS = 5
const SPEC = { ...MARKET_PRESETS.tiny, seed: 5, nowMs: NOW_MS, observations: DAYS }
const GONE = 'ethereum'

/** Days, from 1, on which the source lists the coin. */
const LISTED_ON = [1, 4]

/** A source that does not know the coin while it is not listed. */
function forgetful(source: AnswerSource, isListed: () => boolean): AnswerSource {
  return {
    ...source,
    answer: async (...asked) => {
      const answered = await source.answer(...asked)
      if (answered.kind !== 'json' || isListed()) return answered
      const { body } = answered
      const left = Array.isArray(body)
        ? body.filter((one) => (one as { id?: unknown }).id !== GONE)
        : Object.fromEntries(Object.entries(body as object).filter(([id]) => id !== GONE))
      return { ...answered, body: left }
    },
  }
}

test(
  'a chosen coin that is not listed any more is told once as a hole, then as a fact',
  { timeout: PROOF_TIMEOUT_MS },
  async () => {
    const clock = movableClock(NOW_MS)
    const market = await holdMarket(SPEC, clock)
    const atMs = (day: number): number => NOW_MS - (DAYS - day) * DAY_MS
    const isListed = (): boolean => LISTED_ON.some((day) => atMs(day) === clock.nowMs())
    const warehouse = openWarehouse(await serve(forgetful(market.source, isListed)), clock)
    const coins = `{ coins: [bitcoin, ${GONE}], vs_currencies: [usd] }`
    const lines = [`coin_markets: ${coins}`, `price_quotes: ${coins}`]
    await warehouse.plan(lines)
    const told: unknown[] = []
    for (let day = 1; day <= DAYS; day++) {
      clock.set(atMs(day))
      const { exitCode, stdout } = await warehouse.run('backfill', '--json')
      const report = JSON.parse(stdout) as {
        verdict: string
        absent?: { newCount: number; entities: { entity: string; goneSinceMs: number }[] }
      }
      const since = report.absent?.entities.map(({ entity, goneSinceMs }) => {
        return `${entity} ${new Date(goneSinceMs).toISOString().slice(0, 10)}`
      })
      const gaps = await warehouse.run('gaps')
      const line = gaps.stdout.split('\n').find((one) => one.startsWith('gone since')) ?? ''
      told.push([exitCode, report.verdict, [...new Set(since)], gaps.exitCode, line])
    }
    const line = (since: string): string =>
      `gone since ${since}: ${GONE} is not in the answers for coin_markets, price_quotes any more`
    expect(told).toEqual([
      [0, 'complete', [], 0, ''],
      [3, 'partial', [`${GONE} 2024-04-07`], 3, line('2024-04-07')],
      [0, 'complete', [`${GONE} 2024-04-07`], 0, line('2024-04-07')],
      // It is back.
      [0, 'complete', [], 0, ''],
      [3, 'partial', [`${GONE} 2024-04-10`], 3, line('2024-04-10')],
    ])
  },
)
