import { DAY_MS } from '../../../config/values/duration.ts'
import { expect, test } from 'vitest'
import type { RunReport } from '../../../activities/run-report.ts'
import type { ReportFacts } from '../../../cli/report/facts/report-facts.ts'
import type { AnswerSource } from '../../../service/answer-source.ts'
import { APRIL_MS, openMarketWarehouse } from '../../parts/market-warehouse.ts'
import type { Warehouse } from '../../parts/proof-warehouse.ts'

const DAYS = 5
const GONE = 'ethereum'

/** Days, from 1, on which the source lists the coin. */
const LISTED_ON = [1, 4]
const atMs = (day: number): number => APRIL_MS - (DAYS - day) * DAY_MS
const isListedAt = (nowMs: number): boolean => LISTED_ON.some((day) => atMs(day) === nowMs)

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

test('a chosen coin that is not listed any more is told once as a hole, then as a fact', async () => {
  const { clock, warehouse } = await openMarketWarehouse({ observations: DAYS }, (source, at) =>
    forgetful(source, () => isListedAt(at.nowMs())),
  )
  const coins = `{ coins: [bitcoin, ${GONE}], vs_currencies: [usd] }`
  const lines = [`coin_markets: ${coins}`, `price_quotes: ${coins}`]
  await warehouse.plan(lines)
  const told: unknown[] = []
  for (let day = 1; day <= DAYS; day++) {
    clock.set(atMs(day))
    const { exitCode, stdout } = await warehouse.run('backfill', '--json')
    const report = JSON.parse(stdout) as RunReport
    const since = report.absent?.entities.map(({ entity, goneSinceMs }) => {
      return `${entity} ${new Date(goneSinceMs).toISOString().slice(0, 10)}`
    })
    const gaps = await warehouse.run('gaps')
    const line = gaps.stdout.split('\n').find((one) => one.startsWith('unknown at')) ?? ''
    told.push([exitCode, report.verdict, [...new Set(since)], gaps.exitCode, line])
  }
  const line = (since: string): string =>
    `unknown at the source since ${since}: ${GONE} is not in the answers for coin_markets, price_quotes any more`
  expect(told).toEqual([
    [0, 'complete', [], 0, ''],
    [3, 'partial', [`${GONE} 2024-04-07`], 0, line('2024-04-07')],
    [0, 'complete', [`${GONE} 2024-04-07`], 0, line('2024-04-07')],
    // The coin is back.
    [0, 'complete', [], 0, ''],
    [3, 'partial', [`${GONE} 2024-04-10`], 0, line('2024-04-10')],
  ])
})

/** A source that answers 404 to whatever is asked of the coin alone, while it is not listed, or of any. */
function without(
  source: AnswerSource,
  isListed: () => boolean,
  isDead: () => boolean,
): AnswerSource {
  return {
    ...source,
    answer: async (operation, params) =>
      (isDead() && 'id' in params) || (params['id'] === GONE && !isListed())
        ? { kind: 'not_found' }
        : source.answer(operation, params),
  }
}

/** The slices of a run in `coinlake report`. */
async function reportedRun(warehouse: Warehouse, runId: string): Promise<unknown> {
  const { stdout } = await warehouse.run('report', '--json', '--run', runId)
  const { report } = (JSON.parse(stdout) as ReportFacts).run
  const { verdict, slices, failures = [], absent } = report ?? {}
  return { verdict, slices, failures: failures.map(({ entity }) => entity), absent }
}

test('a coin that is answered 404, from some day on or always, fails one run; later ones are complete and name it', async () => {
  let isDead = false
  const { clock, served, warehouse } = await openMarketWarehouse(
    { observations: DAYS },
    (source, at) =>
      without(
        source,
        () => isListedAt(at.nowMs()),
        () => isDead,
      ),
  )
  const series = 'vs_currencies: [usd], granularity: 1d, from: 2024-04-01'
  await warehouse.plan([`market_chart: { coins: [bitcoin, ${GONE}, bitcoinx], ${series} }`])
  const told: unknown[] = []
  let lastRun = ''
  const look = async (day: number): Promise<void> => {
    clock.set(atMs(day))
    const { exitCode, stdout } = await warehouse.run('backfill', '--json')
    const report = JSON.parse(stdout) as RunReport
    lastRun = report.runId
    const { failed, gone } = report.slices
    const absent = report.absent?.entities.map(({ entity }) => entity)
    const gaps = await warehouse.run('gaps')
    const isGap = /missing +market_chart ethereum/.test(gaps.stdout)
    const failures = report.failures.map(({ entity }) => entity)
    told.push([day, exitCode, report.verdict, failed, gone, failures, absent, isGap])
  }
  for (let day = 1; day <= DAYS; day++) await look(day)
  const toldRun = lastRun
  const calls = served.log.length
  // At once again: what the source does not know is asked for once a day.
  await look(DAYS)
  expect(served.log.length).toBe(calls)
  const unknown = 'bitcoinx'
  expect(told).toEqual([
    [1, 3, 'partial', 1, undefined, [unknown], [unknown], false],
    [2, 3, 'partial', 1, 1, [GONE], [GONE, unknown], false],
    [3, 0, 'complete', 0, 2, [], [unknown, GONE], false],
    // The coin is back, and its gap is filled.
    [4, 0, 'complete', 0, 1, [], [unknown], false],
    [5, 3, 'partial', 1, 1, [GONE], [GONE, unknown], false],
    [5, 0, 'complete', 0, undefined, [], [unknown, GONE], false],
  ])
  const reported = await reportedRun(warehouse, toldRun)
  expect(reported).toMatchObject({ slices: { failed: 1, gone: 1 }, absent: { count: 2 } })
  // The id that never was there is taken out: what is left is complete, and says what is gone.
  await warehouse.plan([`market_chart: { coins: [bitcoin, ${GONE}], ${series} }`])
  const { exitCode, stderr } = await warehouse.run('backfill')
  expect([exitCode, /^complete, unreachable: /m.test(stderr)]).toEqual([0, true])
  expect(stderr).toContain(`unknown at the source since 2024-04-10: ${GONE}`)
  // A source that knows no coin at all is none whose coins are gone.
  isDead = true
  clock.set(APRIL_MS + DAY_MS)
  for (let again = 1; again <= 2; again++) {
    const run = await warehouse.run('backfill', '--json')
    const { verdict, slices } = JSON.parse(run.stdout) as RunReport
    expect([run.exitCode, verdict, slices.failed]).toEqual([7, 'failed', 1])
  }
})
