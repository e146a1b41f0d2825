import { expect, test } from 'vitest'
import type { KeyMonth } from '../../../cli/run/key-months.ts'
import { openKeyedLake } from '../../parts/keyed-lake.ts'

const COINS = 20
const KEY = 'key-of-the-month'
const SOURCE = ['api_key: "${KEY_0}"', 'monthly_calls: 16', 'monthly_reserve: 4']

test('a backfill leaves the reserve, a refetch by hand uses it up, and then no request leaves', async () => {
  const lake = await openKeyedLake({ coins: COINS, keys: [KEY] })
  lake.configure(SOURCE)
  const planned = await lake.run('plan')
  expect(planned.stdout).toContain(
    '16 calls; none used that this warehouse knows of, 16 left, 4 of them kept for schedules and refetches',
  )
  expect(planned.stdout).toContain(
    'MAY NOT FIT INTO THE MONTH: 12 calls now, the rest in 1 month from',
  )

  const first = await lake.backfill()
  // One call to choose the coins, and 11 coins.
  expect(lake.log).toHaveLength(12)
  expect(first.exitCode).toBe(3)
  expect(first.report).toMatchObject({
    verdict: 'partial',
    calls: 12,
    slices: { planned: COINS, loaded: 11, failed: 0, missing: 9 },
    fatal: { code: 'MONTH_SPENT', exitCode: 3 },
    waiting: { slices: 9, datasets: [{ dataset: 'market_chart', slices: 9 }] },
  })
  const nextMonth = new Date(Date.parse(first.report.waiting!.untilAt))
  expect([nextMonth.getUTCDate(), nextMonth.getUTCHours()]).toEqual([1, 0])
  expect(nextMonth.getTime()).toBeGreaterThan(Date.now())

  const again = await lake.run('backfill')
  expect(lake.log).toHaveLength(12)
  expect(again.exitCode).toBe(3)
  const day = nextMonth.toISOString().slice(0, 10)
  expect(again.stderr).toContain(
    `9 slices wait for the next month, which begins on ${day} (UTC):\n`,
  )
  expect(again.stderr).toMatch(
    / {2}market_chart \S+ usd 1d \[2024-03-20, 2024-04-01\) and 8 more\n/,
  )
  expect(again.stderr).toContain('error[MONTH_SPENT]: the month of key')
  expect((await lake.run('gaps')).stdout).toContain(
    `there are gaps: \`coinlake backfill\` fetches missing data from ${day} (UTC) on, as this month has no call left for it\n`,
  )
  expect(again.stderr).toContain(`Run the same command again from ${day} (UTC)`)

  const refetch = ['refetch', '--from', '2024-03-20', '--to', '2024-04-01', '--coins']
  const byHand = await lake.run(...refetch, 'bitcoin')
  expect(byHand.exitCode).toBe(0)
  expect(lake.log).toHaveLength(13)
  const tooMuch = await lake.run(...refetch, `top:${COINS}`)
  expect(tooMuch.exitCode).toBe(3)
  expect(tooMuch.stderr).toContain('is used up: 16 calls (source.monthly_calls)')
  expect(lake.log).toHaveLength(16)

  const status = await lake.run('status', '--json')
  const { months } = JSON.parse(status.stdout) as { months: KeyMonth[] }
  expect(months).toMatchObject([{ used: 16, ceiling: 16, reserve: 4 }])
  expect((await lake.run('status')).stdout).toContain(
    'month: 16 calls; 16 used that this warehouse knows of, 0 left\n',
  )

  // A larger plan, like a new month, lets the same command go on.
  lake.configure([...SOURCE.slice(0, 1), 'monthly_calls: 100'])
  const rest = await lake.backfill()
  expect(rest).toMatchObject({ exitCode: 0, report: { verdict: 'complete' } })
  expect(rest.report.waiting).toBeUndefined()
  const charts = lake.log.filter(({ path }) => path.includes('market_chart'))
  expect(new Set(charts.map(({ path }) => path)).size).toBe(COINS)
})

test('all coins wait for the next month when the choice of the coins uses this one up', async () => {
  const lake = await openKeyedLake({ coins: COINS, keys: [KEY] })
  lake.configure(['api_key: "${KEY_0}"', 'monthly_calls: 2', 'monthly_reserve: 1'])
  const { exitCode, report } = await lake.backfill()
  expect({ exitCode, verdict: report.verdict }).toEqual({ exitCode: 3, verdict: 'partial' })
  expect(lake.log).toHaveLength(1)
  expect(report.waiting?.slices).toBe(COINS)
})

test('a backfill also leaves the reserve of a month that only the service tells', async () => {
  const quota = { calls: 20, perMs: 31 * 86_400_000, kind: 'sliding' } as const
  const lake = await openKeyedLake({ coins: COINS, keys: [KEY], quota })
  lake.configure(['api_key: "${KEY_0}"'])
  const { exitCode, report } = await lake.backfill()
  expect(exitCode).toBe(3)
  expect(report).toMatchObject({ verdict: 'partial', waiting: { slices: COINS - 17 } })
  expect(report.fatal?.reason).toContain('20 calls (as the service tells), of which 2 are kept')
  expect(lake.log.map(({ status }) => status)).toEqual(Array<number>(18).fill(200))
})

test('a run without a call keeps the rate that the run before has learned', async () => {
  const rate = { calls: 100, perMs: 10_000 }
  const lake = await openKeyedLake({ coins: COINS, keys: [KEY], quota: rate })
  lake.configure(SOURCE.slice(0, 1))
  const learned = async (): Promise<unknown> => {
    const { exitCode } = await lake.backfill()
    const { months } = JSON.parse((await lake.run('status', '--json')).stdout) as {
      months: KeyMonth[]
    }
    return { exitCode, calls: lake.log.length, rates: months.map((month) => month.rate) }
  }
  const first = await learned()
  // On a busy machine the window may count as another one.
  const rates = [{ calls: rate.calls }]
  expect(first).toMatchObject({ exitCode: 0, calls: 1 + COINS, rates })
  expect(await learned()).toEqual(first)
})
