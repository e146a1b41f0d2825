/** 2009-01-03, the day of the first block. An earlier number is a price or a volume. */
const EARLIEST_MS = Date.UTC(2009, 0, 3)
/** A later number is not a time either. */
const LATEST_MS = Date.UTC(2100, 0, 1)
/** Keys with times near the recording. Others, such as `ath_date`, are long past. */
const TIME_KEY_PATTERN =
  /^(last_updated|updated_at|last_updated_at|timestamp|last_traded_at|last_fetch_at)$/
const MS_PER_SECOND = 1_000

/**
 * The newest time in a recorded body, epoch ms; null = none. From its points, or from keys such as `last_updated`. A
 * candle has the time of its close, which may lie in the future.
 */
export function newestTimeMs(body: unknown): number | null {
  let newest = -Infinity
  const visit = (value: unknown, key: string): void => {
    if (Array.isArray(value)) {
      if (isPoint(value)) newest = Math.max(newest, plausibleMs(value[0]))
      else for (const item of value) visit(item, key)
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) visit(item, name)
    } else if (TIME_KEY_PATTERN.test(key)) {
      newest = Math.max(newest, timeMs(value))
    }
  }
  visit(body, '')
  return newest === -Infinity ? null : newest
}

/** `[ms, value]` or `[ms, open, high, low, close]`. `plausibleMs` drops arrays of prices. */
function isPoint(value: readonly unknown[]): value is [number, ...unknown[]] {
  return value.length > 1 && typeof value[0] === 'number' && !value.some(Array.isArray)
}

/** An ISO text, epoch ms or epoch seconds. */
function timeMs(value: unknown): number {
  if (typeof value === 'string') return plausibleMs(Date.parse(value))
  return Math.max(plausibleMs(Number(value)), plausibleMs(Number(value) * MS_PER_SECOND))
}

function plausibleMs(ms: number): number {
  return ms >= EARLIEST_MS && ms <= LATEST_MS ? ms : -Infinity
}
