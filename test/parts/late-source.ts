import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../config/values/duration.ts'
import { randomOf } from './random-of.ts'

/** A point of a source that is late, and that changes its mind while a point is young. */
export interface LatePoint {
  ts: number
  /** When answers begin to have it. */
  shownAtMs: number
  /** When its first price gives way to its last one; -Infinity = never, the first price stays. */
  changedAtMs: number
}

/** The source of one chart, which behaves as the real one does (facts: market-api 0.8, 0.9); a seed fixes its points. */
export interface LateSource {
  points: readonly LatePoint[]
  /** Its answer at a moment, the moving point last: [time, price]. */
  answer(nowMs: number): [number, number][]
  /** The time of the newest point of that answer, the moving point left out. */
  newestMs(nowMs: number): number
  /** The price of a point once it no longer changes. */
  finalPrice(point: LatePoint): number
}

const MOVING_PRICE = 7

/** The price of a point before and after it was changed. */
function priceOf(ts: number, isChanged: boolean): number {
  return (ts % 99_991) / 7 + (isChanged ? 100_000 : 50_000)
}

/**
 * Hourly points 675 to 6,682 s apart, so that an hour has two or none; answers are kept for up to 25
 * minutes and end with a point of the moment when they were made. A point comes up to four minutes late,
 * and three in ten change in their first half hour. Every other answer lists its last points twice.
 */
export function hourlySource(seed: number, fromMs: number, toMs: number): LateSource {
  const random = randomOf(seed)
  const points: LatePoint[] = []
  for (let ts = fromMs; ts < toMs;) {
    const fullHourMs = Math.ceil((ts + HOUR_MS / 2) / HOUR_MS) * HOUR_MS
    const nearMs = fullHourMs + (random() - 0.5) * 4 * MINUTE_MS
    const oddMs = ts + 675_000 + random() * 6_007_000
    ts = Math.round(random() < 0.1 ? oddMs : nearMs)
    points.push(latePoint(ts, random, 1_000 + random() * 4 * MINUTE_MS))
  }
  return sourceOf(points, (nowMs) => nowMs - keptMinutes(nowMs, 25) * MINUTE_MS)
}

/** Daily points on 00:00 exactly, shown from 00:10 to 00:40; an answer is kept for twelve hours, but never past 00:40. */
export function dailySource(seed: number, fromMs: number, toMs: number): LateSource {
  const random = randomOf(seed)
  const points: LatePoint[] = []
  for (let ts = Math.ceil(fromMs / DAY_MS) * DAY_MS; ts < toMs; ts += DAY_MS) {
    points.push(latePoint(ts, random, (10 + 30 * random()) * MINUTE_MS))
  }
  return sourceOf(points, (nowMs) => {
    const renewedMs = Math.floor(nowMs / DAY_MS) * DAY_MS + 40 * MINUTE_MS
    const madeMs = nowMs - keptMinutes(nowMs, 720) * MINUTE_MS
    return nowMs < renewedMs ? nowMs : Math.max(madeMs, renewedMs)
  })
}

function latePoint(ts: number, random: () => number, lateMs: number): LatePoint {
  const isChanged = random() < 0.3
  const changedAtMs = isChanged ? Math.round(ts + random() * 30 * MINUTE_MS) : -Infinity
  return { ts, shownAtMs: Math.round(ts + lateMs), changedAtMs }
}

/** How old the answer of a moment is. */
function keptMinutes(nowMs: number, most: number): number {
  return Math.floor(nowMs / 977) % most
}

/** @param madeAt when the answer of a moment was made */
function sourceOf(points: readonly LatePoint[], madeAt: (nowMs: number) => number): LateSource {
  const shown = (nowMs: number): LatePoint[] => {
    const madeMs = madeAt(nowMs)
    return points.filter(({ shownAtMs }) => shownAtMs <= madeMs)
  }
  return {
    points,
    answer(nowMs) {
      const madeMs = madeAt(nowMs)
      const own = shown(nowMs).map(({ ts, changedAtMs }): [number, number] => [
        ts,
        priceOf(ts, changedAtMs !== -Infinity && changedAtMs <= madeMs),
      ])
      const twice = nowMs % 2 === 0 ? own.slice(-2) : []
      return [...own, ...twice, [Math.floor(madeMs / 1000) * 1000, MOVING_PRICE]]
    },
    newestMs: (nowMs) => shown(nowMs).at(-1)?.ts ?? -Infinity,
    finalPrice: ({ ts, changedAtMs }) => priceOf(ts, changedAtMs !== -Infinity),
  }
}
