export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

const UNIT_MS = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS } as const

export const DURATION_PATTERN = '^[1-9][0-9]{0,6}[smhd]$'

const durationForm = new RegExp(DURATION_PATTERN)

/** `30s`, `15m`, `1h`, `7d` as milliseconds; null when the text is no duration or 0. */
export function parseDurationMs(text: string): number | null {
  if (!durationForm.test(text)) return null
  const unit = text.at(-1) as keyof typeof UNIT_MS
  return Number(text.slice(0, -1)) * UNIT_MS[unit]
}

/** The shortest spelling of whole seconds in one unit: 86400000 is `1d`. */
export function formatDuration(durationMs: number): string {
  for (const unit of ['d', 'h', 'm'] as const) {
    if (durationMs % UNIT_MS[unit] === 0) return `${durationMs / UNIT_MS[unit]}${unit}`
  }
  return `${durationMs / UNIT_MS.s}s`
}

/** A duration for people, rounded up by a tenth at most, so that a wait is never longer: 93_000 ms -> "1.6 min". */
export function approximateDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 90) return `${seconds} s`
  const tenths = Math.ceil(seconds / 6)
  const minutes = tenths < 100 ? tenths / 10 : Math.ceil(seconds / 60)
  if (minutes < 90) return `${minutes} min`
  const hours = Math.ceil(minutes / 6) / 10
  return hours < 48 ? `${hours} h` : `${Math.ceil(hours / 2.4) / 10} days`
}

/** The measured duration of a run, for people: tenths of seconds below 90 s. 7_340 ms -> "7.3 s". */
export function tookText(ms: number): string {
  return ms < 90 * SECOND_MS ? `${(ms / SECOND_MS).toFixed(1)} s` : approximateDuration(ms)
}
