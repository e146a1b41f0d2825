import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../config/values/duration.ts'
import type { Alert } from '../../activities/alerts/alert.ts'
import { movableClock } from '../parts/proof-warehouse.ts'
import { begin, openScheduled, untilIdle } from '../parts/scheduled-warehouse.ts'
import { tempDir } from '../parts/temp-dir.ts'
import { olderBuild, OTHER_CODE } from '../resume/older-build.ts'
import { mountSmallDisk, whyNoSmallDisk } from '../resume/small-disk.ts'
import { warehouseSizes } from './warehouse-sizes.ts'
import { openYearMarket, type YearMarket } from './year-market.ts'
import { listen, withBody } from '../parts/listen.ts'

const MIB = 1_048_576
const isBig = process.env['COINLAKE_TEST_BIG'] === '1'
/** So often the sizes are measured on the way. */
const PARTS = isBig ? 40 : 4
/** A run begins a moment after its window has come due. */
const AFTER_MS = 20_000
/** How often what happens below comes again. */
const WEEK = 28

/** The events of each week, by the window that they meet. */
const NO_WORKER = { at: 5, windows: 3 }
const SOURCE_DOWN = [12, 14] as const
/** Half a minute a window goes by until a run believes that nobody listens. */
const OUTAGE_WEEKS = 4
const NO_SERVER = { at: 17, windows: 3 }
const DISK_FULL = 22
const NEW_KEY = 25
/** In weeks with an outage: the key has made more calls than the month's ceiling. The budget's month is that of Temporal's clock, so a higher ceiling ends it. */
const MONTH_SPENT = 9
/** Once in a quarter, the first time within the ten days, a worker of another build takes a window and is killed. */
const OTHER_BUILD = { at: 28, every: 364 }

interface Stretch {
  title: string
  /** In the future: what came due before a schedule was applied is none of its windows. */
  firstMs: number
  windows: number
  everyHours: number
  /** Nothing happens but windows: one worker does them all. */
  isQuiet?: boolean
  /** Three days over a change of the clocks in Berlin, and when its 06:30 is in UTC. */
  mornings: { fromMs: number; atUtc: readonly string[] }
}

const SPRING = {
  firstMs: Date.UTC(2032, 2, 20, 0, 5),
  mornings: { fromMs: Date.UTC(2032, 2, 27), atUtc: ['27 05:30', '28 04:30', '29 04:30'] },
}
const AUTUMN = { fromMs: Date.UTC(2031, 9, 25), atUtc: ['25 04:30', '26 05:30', '27 05:30'] }
const STRETCHES: readonly Stretch[] = isBig
  ? [
      // Over a leap day, too.
      {
        title: '400 days',
        firstMs: Date.UTC(2031, 2, 20, 0, 5),
        windows: 1_600,
        everyHours: 6,
        mornings: AUTUMN,
      },
      { title: '14 days', ...SPRING, windows: 336, everyHours: 1 },
      {
        title: '2,000 quiet hours',
        firstMs: Date.UTC(2032, 0, 7, 0, 5),
        windows: 2_000,
        everyHours: 1,
        isQuiet: true,
        mornings: SPRING.mornings,
      },
    ]
  : [{ title: '10 days', ...SPRING, windows: 30, everyHours: 8 }]

/** Takes alerts. */
async function receiver(): Promise<{ url: string; alerts: Alert[] }> {
  const alerts: Alert[] = []
  const url = await listen(
    withBody((body, _, response) => {
      alerts.push(JSON.parse(body) as Alert)
      response.writeHead(204).end()
    }),
  )
  return { url, alerts }
}

test.for(STRETCHES)(
  '$title in windows of $everyHours h, with all that happens meanwhile, are one backfill',
  { timeout: isBig ? 14_400_000 : 900_000 },
  async ({ firstMs, windows, everyHours, isQuiet = false, mornings }) => {
    const everyMs = everyHours * HOUR_MS
    const windowMs = (place: number): number => firstMs + place * everyMs
    const endMs = windowMs(windows)
    const clock = movableClock(firstMs)
    const market = await openYearMarket(clock, firstMs, endMs)
    const [a, b, delisted, later] = market.coinIds as [string, string, string, string]
    const hook = await receiver()
    const dir = tempDir()
    const fromDay = new Date(firstMs - 2 * DAY_MS).toISOString().slice(0, 10)
    const yaml = (
      coins: readonly string[],
      more = '',
    ): string => `source: { base_url: "${market.url}", api_key: "\${COINLAKE_API_KEY}"${more} }
warehouse: ./warehouse
alerts: { webhook: "${hook.url}" }
datasets:
  exchange_rates: { every: ${everyHours}h }
  market_chart: { coins: ${JSON.stringify(coins)}, granularity: hourly, from: ${fromDay} }
schedules:
  regular: { every: ${everyHours}h, offset: 5m }
  morning: { at: "06:30", time_zone: Europe/Berlin, datasets: [market_chart] }
`
    const stageDir = join(dir, 'warehouse', 'stage')
    const why = whyNoSmallDisk(join(dir, 'try'))
    if (why !== null) console.log(`the disk never fills up: ${why}`)
    const disk = why === null ? mountSmallDisk(stageDir, 512 * MIB) : null
    onTestFinished(() => disk?.remove())

    const older = olderBuild(OTHER_CODE)
    onTestFinished(() => older.remove())

    let keys = 0
    const nextKey = (): { COINLAKE_API_KEY: string } => {
      const key = `key-${(keys += 1)}`
      market.takeKey(key)
      return { COINLAKE_API_KEY: key }
    }
    let key = nextKey()
    const scheduled = await openScheduled(yaml([a, b, delisted]), clock, dir, key)
    const regular = scheduled.handle('regular')
    let stopWorker = await scheduled.startWorker(key)
    let coins = [a, b, delisted]
    const restart = async (apply = false, more = ''): Promise<void> => {
      await stopWorker()
      writeFileSync(join(dir, 'coinlake.yaml'), yaml(coins, more))
      if (apply) await scheduled.run('schedule', 'apply')
      stopWorker = await scheduled.startWorker(key)
    }
    const run = async (from: number, to = from): Promise<void> => {
      clock.set(windowMs(to) + AFTER_MS)
      await begin(regular, windowMs(from), windowMs(to))
    }

    /** A window of the week in which that share is reached. */
    const at = (share: number, day: number): number =>
      isQuiet ? -1 : Math.floor((windows * share) / WEEK) * WEEK + day
    const [delistedAt, renamedAt] = [at(0.4, 2), at(0.6, 27)]
    const expected = new Map<number, string>()
    /** Alerts by the window behind which they came; those that are no recovery. */
    const badAlerts = new Map<number, Alert[]>()
    const openSubjects = new Set<string>()
    const staleAt: number[] = []
    let spentPlaces = 0
    const measured: object[] = []
    for (let place = 0; place < windows; place += 1) {
      const day = isQuiet ? -1 : place % WEEK
      const isOutage = Math.floor(place / WEEK) % OUTAGE_WEEKS === 0
      let verdict = place === delistedAt ? 'partial' : 'complete'
      if (place === delistedAt) market.delist(delisted)
      if (place === renamedAt) {
        coins = [a, b, later]
        await restart(true)
      }
      if (isOutage && day === SOURCE_DOWN[0]) await market.goDown()
      if (isOutage && day === SOURCE_DOWN[1]) await market.comeBack()
      if (day === DISK_FULL) disk?.fillUpTo(0)
      if (day === DISK_FULL + 1) disk?.makeRoom()
      const isSpent = isOutage && day === MONTH_SPENT
      if (isSpent) await restart(false, ', monthly_calls: 1')
      if (isOutage && day === MONTH_SPENT + 1) await restart()
      if (day === NEW_KEY) {
        key = nextKey()
        await restart()
      }
      if (day === NO_WORKER.at) {
        await stopWorker()
        const first = place
        for (; place < first + NO_WORKER.windows - 1; place += 1) expected.set(place, verdict)
        await run(first, place)
        stopWorker = await scheduled.startWorker(key)
      } else if (day === NO_SERVER.at) {
        await restart()
        place += NO_SERVER.windows - 1
        const nowMs = windowMs(place) + 2 * MINUTE_MS
        clock.set(nowMs)
        expect(await scheduled.missed('regular', nowMs)).toBe(windowMs(place))
      } else if (!isQuiet && place % OTHER_BUILD.every === OTHER_BUILD.at) {
        await stopWorker()
        clock.set(windowMs(place) + AFTER_MS)
        const other = await scheduled.startOther(older.program, key)
        await run(place)
        await untilIdle(regular)
        other.kill('SIGKILL')
        await other.ended
        stopWorker = await scheduled.startWorker(key)
      } else await run(place)
      await untilIdle(regular)

      const isDown = isOutage && day >= SOURCE_DOWN[0] && day < SOURCE_DOWN[1]
      if (isDown || (disk !== null && day === DISK_FULL)) verdict = 'failed'
      if (isSpent) [verdict, spentPlaces] = ['partial', spentPlaces + 1]
      expected.set(place, verdict)
      const isFresh = isQuiet || (await scheduled.run('status', '--check')).exitCode === 0
      if (!isFresh) staleAt.push(place)
      for (const { event, subject } of hook.alerts) {
        if (event === 'recovered') expect(openSubjects.delete(subject)).toBe(true)
        else openSubjects.add(subject)
      }
      badAlerts.set(
        place,
        hook.alerts.filter(({ event }) => event !== 'recovered'),
      )
      hook.alerts.length = 0
      if (place + 1 >= (windows * (measured.length + 1)) / PARTS) {
        const so = { windows: place + 1, calls: callsOf(market) }
        measured.push(await warehouseSizes(scheduled, so))
        if (isBig) console.table(measured)
      }
    }
    clock.set(endMs)
    const morning = scheduled.handle('morning')
    await begin(morning, mornings.fromMs, mornings.fromMs + 3 * DAY_MS)
    await untilIdle(morning)
    await stopWorker()

    // Freshness and alerts tell what happened, where it happened, and nothing else.
    const badPlaces = [...expected].flatMap(([place, verdict]) =>
      verdict === 'complete' ? [] : [place],
    )
    expect([...openSubjects]).toEqual([])
    const toldRuns = [...badAlerts].flatMap(([place, alerts]) =>
      alerts.some(({ subject }) => subject === 'run/regular') ? [place] : [],
    )
    expect(badPlaces).toEqual(expect.arrayContaining(toldRuns))
    const firstBad = badPlaces.filter(
      (place) => (expected.get(place - 1) ?? 'complete') === 'complete',
    )
    expect(toldRuns).toEqual(expect.arrayContaining(firstBad))
    expect(badPlaces).toEqual(expect.arrayContaining(staleAt))

    const { connection } = market
    await connection.run(`ATTACH '${scheduled.paths.storeFile}' AS store (READ_ONLY)`)
    const rows = async (sql: string): Promise<unknown[][]> =>
      (await connection.runAndReadAll(sql)).getRowsJson()
    const ran = await rows(
      "SELECT epoch_ms(window_at), verdict FROM store._runs WHERE schedule = 'regular' ORDER BY 1",
    )
    expect(ran.map(([ms, verdict]) => [(Number(ms) - firstMs) / everyMs, verdict])).toEqual([
      ...expected,
    ])

    const began =
      await rows(`SELECT strftime(window_at AT TIME ZONE 'UTC', '%d %H:%M') FROM store._runs
      WHERE schedule = 'morning' ORDER BY window_at`)
    expect(began.flat()).toEqual(mornings.atUtc)

    // Every coin has the market's hours from the order's first day to where its last slice ends, and nothing else.
    const charts = await rows(`WITH ends AS (
        SELECT entity, max(settled_to) AS ended FROM store._slices
        WHERE dataset = 'market_chart' AND state IN ('loaded', 'provisional') GROUP BY entity),
      held AS (SELECT coin_id, ts, price, market_cap, total_volume FROM main.market_chart
        JOIN ends ON entity = coin_id WHERE granularity = '1h' AND ts >= '${fromDay}' AND ts < ended),
      found AS (SELECT coin_id, ts, price, market_cap, total_volume FROM store.market_chart
        JOIN ends ON entity = coin_id WHERE ts < ended AND NOT is_moving)
      SELECT (SELECT count(*) FROM (FROM held EXCEPT ALL FROM found)), (SELECT count(*) FROM (FROM found EXCEPT ALL FROM held)),
        (SELECT count(*) FROM found), (SELECT count(DISTINCT coin_id) FROM found)`)
    expect(charts[0]?.slice(0, 2).map(Number)).toEqual([0, 0])
    expect(charts[0]?.slice(3).map(Number)).toEqual([isQuiet ? 3 : 4])
    expect(Number(charts[0]?.[2])).toBeGreaterThan(2 * windows * everyHours)
    // A snapshot is of the bucket in which it was taken: those of an outage are missing, none is invented.
    const taken = [...expected].filter(
      ([place, verdict]) => verdict !== 'failed' && (isQuiet || !isAlone(place)),
    ).length
    const snapshots = await rows('SELECT count(DISTINCT observed_at) FROM store.exchange_rates')
    expect(Number(snapshots[0]?.[0])).toBe(taken - spentPlaces)

    // A request that never reached the source is no call; each that did is one.
    const counted = await rows('SELECT sum(calls) FROM store._requests')
    expect(Number(counted[0]?.[0])).toBe(callsOf(market))
    console.table(measured)
  },
)

function callsOf({ statuses }: Pick<YearMarket, 'statuses'>): number {
  return [...statuses.values()].reduce((sum, times) => sum + times, 0)
}

/** Of the windows that had no worker only the first finds its snapshot not taken. */
function isAlone(place: number): boolean {
  const day = place % WEEK
  return day > NO_WORKER.at && day < NO_WORKER.at + NO_WORKER.windows
}
