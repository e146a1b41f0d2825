import { expect, test } from 'vitest'
import { MARKET_CHART } from '../../datasets/market-chart.ts'
import { MARKET_PRESETS } from '../../service/market/market-spec.ts'
import { movableClock, PROOF_TIMEOUT_MS } from '../parts/proof-warehouse.ts'
import { begin, openScheduled, untilIdle } from '../parts/scheduled-warehouse.ts'
import { serveInTest } from '../parts/serve-source.ts'
import { holdMarket } from '../parts/held-market.ts'
import { tableHash } from './table-hash.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const isBig = process.env['COINLAKE_TEST_BIG'] === '1'
/** Windows that the hourly schedule runs through, outages among them. */
const WINDOWS = isBig ? 300 : 10
/** Windows during which a cluster begins runs and no worker is there. */
const WITHOUT_WORKER = { from: 2, to: 4 }
/** Windows during which nothing is there to begin anything. */
const WITHOUT_SERVER = { from: 6, to: 9 }
/**
 * The Saturday before the clocks go forward in Berlin. It lies in the future, since what came due
 * before a schedule was applied is none of its windows.
 */
const FIRST_MS = Date.UTC(2031, 2, 29, 1, 5)
const LAST_MS = FIRST_MS + (WINDOWS - 1) * HOUR_MS
/** After the third morning. */
const END_MS = Math.max(LAST_MS + HOUR_MS, Date.UTC(2031, 2, 31, 5))
/** A run begins a moment after its window has come due. */
const AFTER_MS = 20_000

const yamlOf = (url: string): string => `source: { base_url: "${url}" }
warehouse: ./warehouse
datasets:
  exchange_rates: { every: 1h }
  market_chart: { coins: [bitcoin, ethereum], granularity: hourly, from: 2031-03-28 }
schedules:
  hourly: { every: 1h, offset: 5m }
  morning: { at: "06:30", time_zone: Europe/Berlin, datasets: [market_chart] }
`

test(
  `${WINDOWS} windows with two outages, and mornings while the clocks change, are one backfill`,
  { timeout: isBig ? 8 * PROOF_TIMEOUT_MS : PROOF_TIMEOUT_MS },
  async () => {
    const clock = movableClock(FIRST_MS)
    const days = Math.ceil((END_MS - FIRST_MS) / (24 * HOUR_MS)) + 4
    const spec = {
      ...MARKET_PRESETS.tiny,
      coins: 2,
      seed: 5,
      nowMs: END_MS,
      hourlyDays: days,
      dailyDays: days,
      observations: days + 1,
    }
    const market = await holdMarket(spec, clock)
    const served = await serveInTest(market.source)
    const scheduled = await openScheduled(yamlOf(served.url), clock)
    const hourly = scheduled.handle('hourly')
    const windowMs = (place: number): number => FIRST_MS + place * HOUR_MS
    let stopWorker = await scheduled.startWorker()
    for (let place = 0; place < WINDOWS; place += 1) {
      if (place === WITHOUT_WORKER.from) {
        await stopWorker()
        const [fromMs, toMs] = [windowMs(place), windowMs(WITHOUT_WORKER.to - 1)]
        clock.set(toMs + AFTER_MS)
        await begin(hourly, fromMs, toMs)
        stopWorker = await scheduled.startWorker()
        await untilIdle(hourly)
        place = WITHOUT_WORKER.to - 1
      } else if (place === WITHOUT_SERVER.from) {
        await stopWorker()
        stopWorker = await scheduled.startWorker()
        const newestMs = windowMs(WITHOUT_SERVER.to - 1)
        clock.set(newestMs + 2 * MINUTE_MS)
        expect(await scheduled.missed('hourly', newestMs + 2 * MINUTE_MS)).toBe(newestMs)
        await untilIdle(hourly)
        place = WITHOUT_SERVER.to - 1
      } else {
        clock.set(windowMs(place) + AFTER_MS)
        await begin(hourly, windowMs(place), windowMs(place))
        await untilIdle(hourly)
      }
    }
    clock.set(END_MS)
    const morning = scheduled.handle('morning')
    await begin(morning, Date.UTC(2031, 2, 29), Date.UTC(2031, 3, 1))
    await untilIdle(morning)
    await stopWorker()

    const { connection } = market
    await connection.run(`ATTACH '${scheduled.paths.storeFile}' AS store (READ_ONLY)`)
    const rows = async (sql: string): Promise<unknown[]> =>
      (await connection.runAndReadAll(sql)).getRowsJS().flat()
    const windowsOf = (name: string): Promise<unknown[]> =>
      rows(`SELECT strftime(window_at AT TIME ZONE 'UTC', '%d %H:%M') FROM store._runs
            WHERE schedule = '${name}' ORDER BY window_at`)
    const isTaken = (place: number): boolean =>
      place < WITHOUT_SERVER.from || place >= WITHOUT_SERVER.to - 1
    const taken = Array.from({ length: WINDOWS }, (_, place) => place).filter(isTaken)
    const text = (ms: number): string => new Date(ms).toISOString().slice(8, 16).replace('T', ' ')
    expect(await windowsOf('hourly')).toEqual(taken.map((place) => text(windowMs(place))))
    // 06:30 is 05:30 UTC before the clocks go forward, and 04:30 afterwards.
    expect(await windowsOf('morning')).toEqual(['29 05:30', '30 04:30', '31 04:30'])
    expect(await rows(`SELECT DISTINCT verdict FROM store._runs`)).toEqual(['complete'])

    const bounds = await rows(
      `SELECT DISTINCT epoch_ms(max(to_at)) FROM store._slices WHERE dataset = 'market_chart' GROUP BY entity`,
    )
    expect(bounds).toHaveLength(1)
    const range = `ts >= TIMESTAMPTZ '2031-03-28 00:00:00+00' AND epoch_ms(ts) < ${String(bounds[0])}`
    const held = await tableHash(
      connection,
      MARKET_CHART,
      `(FROM market_chart WHERE ${range} AND granularity = '1h')`,
    )
    const found = await tableHash(connection, MARKET_CHART, 'store.market_chart')
    expect(found).toEqual(held)
    expect(held.rows).toBeGreaterThan(2 * WINDOWS)

    // A snapshot is of the hour in which it was taken: those of an outage are missing, none is invented.
    const hours = await rows(
      "SELECT count(DISTINCT date_trunc('hour', observed_at)) FROM store.exchange_rates",
    )
    const missedByWorker = WITHOUT_WORKER.to - WITHOUT_WORKER.from - 1
    expect(hours.map(Number)).toEqual([taken.length - missedByWorker])
    expect(served.log.filter(({ status }) => status !== 200)).toEqual([])
    const asked = served.log
      .map(({ path, query }) => `${path}?${query}`)
      .filter((url) => url.includes('range'))
    console.log(`${taken.length} windows, ${served.log.length} calls, ${asked.length} of charts`)
  },
)
