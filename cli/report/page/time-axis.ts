import { DAY_MS, MINUTE_MS } from '../../../config/values/duration.ts'
import type { ScaleOptions } from '@observablehq/plot'

/** Longer axes show only days. */
const SHORT_MS = 4 * DAY_MS
/** Labels such as `11-21 16:39` need more room than days and months. */
const TICKS = { short: { wide: 6, narrow: 2 }, long: { wide: 9, narrow: 4 } }

/** A horizontal axis of UTC times: days and months, or the time of day on a short axis. */
export function timeAxis(from: Date, to: Date, isNarrow: boolean): ScaleOptions {
  const spanMs = to.getTime() - from.getTime()
  const isShort = spanMs < SHORT_MS
  const ticks = TICKS[isShort ? 'short' : 'long'][isNarrow ? 'narrow' : 'wide']
  const domain = [from, to]
  if (!isShort) return { type: 'utc', label: null, domain, ticks }
  const [start, end] = spanMs < DAY_MS ? [11, spanMs < 10 * MINUTE_MS ? 19 : 16] : [5, 16]
  const tickFormat = (at: Date): string => at.toISOString().slice(start, end).replace('T', ' ')
  return { type: 'utc', label: null, domain, ticks, tickFormat }
}
