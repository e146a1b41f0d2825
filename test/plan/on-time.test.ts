import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../config/values/duration.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { marketChart } from '../../datasets/market-chart.ts'
import { type Interval, merge } from '../../plan/intervals.ts'
import { planSlices } from '../../plan/plan-slices.ts'
import { settlementOf } from '../../plan/settlement.ts'
import { dailySource, hourlySource, type LateSource } from '../parts/late-source.ts'
import { randomOf } from '../parts/random-of.ts'
import { planInput, wantedOf } from './test-dataset.ts'

const START = Date.UTC(2024, 5, 15)
const END = START + 10 * DAY_MS

/** A series that is kept up with as the store keeps it: provisional rows go with each answer. */
function follower(source: LateSource, granularity: '1h' | '1d') {
  const series = { dataset: 'market_chart', entity: 'bitcoin', vsCurrency: 'usd', granularity }
  let done: Interval[] = []
  let fresh: (Interval & { recheckAtMs: number })[] = []
  const rows = new Map<number, { price: number; isProvisional: boolean; isMoving: boolean }>()
  const wanted = [wantedOf({ dataset: 'market_chart', granularity, fromMs: START })]
  return {
    rows,
    /** Returns the calls. */
    run(nowMs: number): number {
      fresh = fresh.filter(({ recheckAtMs }) => nowMs < recheckAtMs)
      const covered = [...done, ...fresh].map((part) => ({ ...series, ...part }))
      const input = planInput({ wanted, covered, nowMs, datasets: [marketChart] })
      const { slices } = planSlices(input)
      for (const slice of slices) {
        const answer = source.answer(nowMs).filter(([ts]) => ts >= slice.fromMs && ts < slice.toMs)
        const times = answer.map(([ts]) => ts).sort((a, b) => a - b)
        const settled = settlementOf(slice, nowMs, marketChart, times)
        const { settledToMs, recheckAtMs, movingMs } = settled
        done = merge([...done, { fromMs: slice.fromMs, toMs: settledToMs }])
        if (recheckAtMs !== null) {
          fresh.push({ fromMs: settledToMs, toMs: slice.toMs, recheckAtMs })
        }
        for (const [ts, { isProvisional }] of rows) {
          if (isProvisional && ts >= slice.fromMs && ts < slice.toMs) rows.delete(ts)
        }
        for (const [ts, price] of answer) {
          rows.set(ts, { price, isProvisional: ts >= settledToMs, isMoving: ts === movingMs })
        }
      }
      return slices.length
    },
    newestMs(): number {
      const shown = [...rows].filter(([, { isMoving }]) => !isMoving)
      return Math.max(...shown.map(([ts]) => ts))
    },
  }
}

const CASES = [
  { granularity: '1h', sourceOf: hourlySource },
  { granularity: '1d', sourceOf: dailySource },
] as const

for (const { granularity, sourceOf } of CASES) {
  test(`${granularity}: whenever it is asked, each point comes once, and ends as the source has it`, () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 2, max: 300 }), (seed, meanMinutes) => {
        const source = sourceOf(seed, START, END)
        const series = follower(source, granularity)
        const random = randomOf(seed + 1)
        let calls = 0
        let runs = 0
        const mostMs = 2 * meanMinutes * MINUTE_MS
        let nowMs = START + 2 * HOUR_MS
        for (; nowMs < END - 2 * DAY_MS; nowMs += Math.ceil(mostMs * random())) {
          const asked = series.run(nowMs)
          calls += asked
          runs += 1
          expect(series.run(nowMs)).toBe(0)
          if (asked > 0) expect(series.run(nowMs + 4 * MINUTE_MS)).toBe(0)
        }
        // The last points settle, too.
        for (const hours of [0, 2, 26]) series.run(nowMs + hours * HOUR_MS)
        const known = source.points.filter(({ ts }) => ts >= START && ts < nowMs)
        const final = [...series.rows].filter(([ts, row]) => !row.isMoving && ts < nowMs)
        expect(final).toEqual(
          known.map((point) => [
            point.ts,
            { price: source.finalPrice(point), isProvisional: false, isMoving: false },
          ]),
        )
        // Two a step: when its point settles, and when it lacks one; those of an empty hour back off.
        const steps = (nowMs - START) / (granularity === '1h' ? HOUR_MS : DAY_MS)
        expect(calls).toBeLessThanOrEqual(Math.min(runs, 3.5 * steps + 2))
      }),
      { numRuns: 12 },
    )
  })

  test(`${granularity}: once the source is no more late, its newest point is there`, () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const source = sourceOf(seed, START, END)
        const series = follower(source, granularity)
        const random = randomOf(seed + 1)
        for (let hour = 2; hour < 8 * 24; hour++) {
          const nowMs = START + hour * HOUR_MS + Math.round((40 + 19 * random()) * MINUTE_MS)
          series.run(nowMs)
          expect(series.newestMs()).toBe(source.newestMs(nowMs))
        }
      }),
      { numRuns: 12 },
    )
  })
}
