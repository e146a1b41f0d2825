import { DAY_MS, HOUR_MS } from '../../config/values/duration.ts'
import type { Granularity } from '../../api/granularity.ts'
import type { Row } from '../dataset.ts'

/** The meaning of ohlc's parameter `interval`. */
export interface CandleInterval {
  stepMs: number
  /** Granularities that divide the step. The coarsest comes first, because it has a longer past. */
  sourceGranularities: readonly Granularity[]
}

const WEEK_MS = 7 * DAY_MS
/** Weeks begin on Monday. 1970-01-05 was the first one. */
const FIRST_MONDAY_MS = 4 * DAY_MS

export const CANDLE_INTERVALS: Readonly<Record<string, CandleInterval>> = {
  hourly: { stepMs: HOUR_MS, sourceGranularities: ['30m'] },
  daily: { stepMs: DAY_MS, sourceGranularities: ['4h', '30m'] },
  weekly: { stepMs: WEEK_MS, sourceGranularities: ['4h', '30m'] },
}

/** Start of the hour, UTC day or week that holds a time. Epoch ms. */
export function intervalStart(ms: number, { stepMs }: CandleInterval): number {
  const originMs = stepMs === WEEK_MS ? FIRST_MONDAY_MS : 0
  return Math.floor((ms - originMs) / stepMs) * stepMs + originMs
}

/**
 * Candles of an interval. Each has the first open, highest high, lowest low and last close in its step. A step uses
 * only the first granularity that has a candle in it. Of each granularity the step in which its candles begin is left
 * out, unless they begin with the step: the rest of it would look like a whole step.
 *
 * @param stored rows of `ohlc` by granularity, in the order of `interval.sourceGranularities`, each ascending by `ts`
 * @returns rows with ts, close_at, open, high, low and close, ascending
 */
export function mergedCandles(
  interval: CandleInterval,
  stored: readonly (readonly Row[])[],
): Row[] {
  const steps = new Map<number, Row>()
  for (const rows of stored) {
    const own = new Map<number, Row>()
    const firstMs = Number(rows[0]?.['ts'])
    for (const row of rows) {
      const startMs = intervalStart(Number(row['ts']), interval)
      if (startMs < firstMs || steps.has(startMs)) continue
      own.set(startMs, joined(own.get(startMs), row, startMs, interval))
    }
    for (const [startMs, candle] of own) steps.set(startMs, candle)
  }
  return [...steps.values()].sort((a, b) => Number(a['ts']) - Number(b['ts']))
}

function joined(
  before: Row | undefined,
  row: Row,
  startMs: number,
  { stepMs }: CandleInterval,
): Row {
  const { open = null, high = null, low = null, close = null } = row
  const whole = { ts: startMs, close_at: startMs + stepMs }
  if (before === undefined) return { ...whole, open, high, low, close }
  return {
    ...before,
    high: extreme(Math.max, before['high'] ?? null, high),
    low: extreme(Math.min, before['low'] ?? null, low),
    close: close ?? before['close'] ?? null,
  }
}

function extreme(
  choose: (a: number, b: number) => number,
  a: Row[string],
  b: Row[string],
): Row[string] {
  if (a === null || b === null) return a ?? b
  return choose(Number(a), Number(b))
}
