import { DAY_MS } from '../config/values/duration.ts'

export type { CallRate } from '../config/profiles.ts'

/** The key's budget as one answer states it. Times are epoch ms of the local clock. */
export interface RateState {
  /** Calls of a window; null: not reported. */
  limit: number | null
  /** Calls left in it; null: not reported. */
  remaining: number | null
  /** The end of the window; null: not reported, or implausible. */
  resetAtMs: number | null
  /** Present: the reset passed over 2 s ago, so it tells nothing of the running window. */
  isResetPast?: true
  observedAtMs: number
  /** Length of the window: the shortest usual length above the longest remaining time. */
  windowMs: number | null
}

export type ResetUnit = 'epoch_s' | 'epoch_ms' | 'seconds_left'

/** Facts about one source, kept between its answers. */
export interface ResetMemory {
  unit: ResetUnit | null
  /** The source's clock minus the local one, by the Date headers. */
  skewMs: number
  isSkewKnown: boolean
  /** Since when every Date is older than its request, by the local clock; null: the newest is not. */
  lagsSinceMs: number | null
  /** The newest Date, and when it was first heard. */
  dateMs: number | null
  dateSinceMs: number
  longestLeftMs: number
}

export const EMPTY_RESET_MEMORY: Readonly<ResetMemory> = {
  unit: null,
  skewMs: 0,
  isSkewKnown: false,
  lagsSinceMs: null,
  dateMs: null,
  dateSinceMs: 0,
  longestLeftMs: 0,
}

/** Names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** A reset lies at most a month and a day ahead, or an hour past. */
const MAX_LEFT_MS = 32 * DAY_MS
const MAX_PAST_MS = 3_600_000
/** Whole seconds in Date and Reset may add this much to a window, at most a fifth of it. */
const MAX_ROUNDING_MS = 2_000
/**
 * The same for a window of one second. With more time left, the window counts as one of 2 s. In epoch seconds, rounding
 * makes a sliding second seem to have up to 2 s left.
 */
const MAX_ROUNDING_OF_SECOND_MS = { epoch_s: 1_500, epoch_ms: 900, seconds_left: 200 }
/**
 * The same for windows below `LONGER_WINDOWS_MS`, which lie a second apart. Slow answers tell less time left than a
 * window has, so of two windows that may be meant the longer one counts.
 */
const MAX_ROUNDING_OF_SHORT_MS = 100
const LONGER_WINDOWS_MS = 5_000
/** A Date may be older than its request by this much: its rounding, and servers whose clocks differ. */
const MAX_DATE_LAG_MS = 2_000
const DATE_ROUNDING_MS = 1_000
/** A clock counts as set when its Dates lag for so long, or at once when they lag by more than a minute. */
const CLOCK_LAG_LASTS_MS = 10_000
const LARGE_LAG_MS = 60_000
/** Usual windows of quotas, ascending. */
const USUAL_WINDOWS_S = [1, 2, 3, 4, 5, 10, 15, 30, 60, 300, 900, 3_600, 86_400]
const USUAL_WINDOWS_MS = USUAL_WINDOWS_S.map((seconds) => seconds * 1_000)

/** An answer's local times, its Date (null: none), and the facts kept of its source. */
interface AnswerContext {
  /** When its request left. */
  askedAtMs: number
  nowMs: number
  dateMs: number | null
  memory: ResetMemory
}

/**
 * Reads X-RateLimit-Limit, -Remaining and -Reset; null: the answer has none of them.
 * Reset is seconds left, epoch seconds, epoch milliseconds or a date-time. The answer's Date shows which unit is
 * plausible.
 */
export function readRateHeaders(headers: Headers, context: AnswerContext): RateState | null {
  const { nowMs, dateMs, memory } = context
  if (dateMs !== null) learnSkew(dateMs, context)
  const limit = leadingInteger(header(headers, 'x-ratelimit-limit'))
  const remaining = leadingInteger(header(headers, 'x-ratelimit-remaining'))
  const reset = header(headers, 'x-ratelimit-reset')
  if (limit === null && remaining === null && reset === null) return null

  const toldLeftMs = reset === null ? null : readReset(reset, nowMs + memory.skewMs, memory)
  // Seconds left count from the answer's time, but the answer may be read late.
  const lateMs = memory.unit === 'seconds_left' ? leastAgeMs(dateMs, nowMs, memory) : 0
  const readLeftMs = toldLeftMs === null ? null : toldLeftMs - lateMs
  const leftMs = readLeftMs === null ? null : Math.max(0, readLeftMs)
  const isPast = readLeftMs !== null && readLeftMs < -MAX_ROUNDING_MS
  if (leftMs !== null) memory.longestLeftMs = Math.max(memory.longestLeftMs, leftMs)
  return {
    limit,
    remaining,
    resetAtMs: leftMs === null ? null : nowMs + leftMs,
    ...(isPast && { isResetPast: true as const }),
    observedAtMs: nowMs,
    windowMs: memory.longestLeftMs > 0 ? usualWindowMs(memory) : null,
  }
}

/** Retry-After as local epoch ms, from seconds or an HTTP date; null: absent or nonsensical. */
export function readRetryAfter(
  headers: Headers,
  context: { nowMs: number; dateMs: number | null },
): number | null {
  const value = header(headers, 'retry-after')
  if (value === null) return null
  if (/^\d+(\.\d+)?$/.test(value)) return context.nowMs + Math.ceil(Number(value) * 1_000)
  const atMs = Date.parse(value)
  if (Number.isNaN(atMs)) return null
  const leftMs = atMs - (context.dateMs ?? context.nowMs)
  return context.nowMs + Math.max(0, leftMs)
}

/** The answer's Date header as epoch ms; null: absent or no date. */
export function readDate(headers: Headers): number | null {
  const ms = Date.parse(header(headers, 'date') ?? '')
  return Number.isNaN(ms) ? null : ms
}

/**
 * Learns the difference of the clocks. Rounding and travel make a Date older, so the Date furthest ahead is the most
 * exact. A Date older than its request has one of three causes. The source's clock stands: answers asked a second apart
 * have the same Date. A clock was set: all later Dates are old, too. Or a cache kept an answer's Date, which tells
 * nothing. An answer that is read late was asked early, so its Date is no older than its request.
 */
function learnSkew(dateMs: number, { askedAtMs, nowMs, memory }: AnswerContext): void {
  const leastMs = dateMs - nowMs
  const gainedMs = memory.isSkewKnown ? leastMs - memory.skewMs : Infinity
  if (dateMs !== memory.dateMs) [memory.dateMs, memory.dateSinceMs] = [dateMs, nowMs]
  const isStanding = askedAtMs - memory.dateSinceMs > DATE_ROUNDING_MS
  if (gainedMs <= 0 && !isStanding) {
    const isOld = dateMs + MAX_DATE_LAG_MS < askedAtMs + memory.skewMs
    memory.lagsSinceMs = isOld ? (memory.lagsSinceMs ?? nowMs) : null
    if (!isOld) return
    // Seconds left need no clock, but for the age of an answer.
    const isBelieved = memory.unit === 'seconds_left' || gainedMs < -LARGE_LAG_MS
    if (!isBelieved && nowMs - memory.lagsSinceMs! < CLOCK_LAG_LASTS_MS) return
  }
  memory.isSkewKnown = true
  memory.skewMs = leastMs
  memory.lagsSinceMs = null
  // The longest remaining time used the old difference, so it is too long by gainedMs.
  const usesClock = memory.unit !== 'seconds_left'
  if (usesClock && gainedMs > 0 && gainedMs < memory.longestLeftMs) memory.longestLeftMs -= gainedMs
}

/** How old the answer is at least. Date is rounded down to the second. */
function leastAgeMs(dateMs: number | null, nowMs: number, { skewMs }: ResetMemory): number {
  return dateMs === null ? 0 : Math.max(0, nowMs + skewMs - dateMs - DATE_ROUNDING_MS)
}

/** Milliseconds until the reset, negative for a past one; null: no unit is plausible. */
function readReset(value: string, sourceNowMs: number, memory: ResetMemory): number | null {
  if (!/^-?\d+(\.\d+)?$/.test(value)) return plausibleLeftMs(parseDateTime(value) - sourceNowMs)
  const number = Number(value)
  const readings: [ResetUnit, number | null][] = [
    ['epoch_s', plausibleLeftMs(number * 1_000 - sourceNowMs)],
    ['epoch_ms', plausibleLeftMs(number - sourceNowMs)],
    ['seconds_left', number < 0 ? null : plausibleLeftMs(number * 1_000)],
  ]
  const [unit, leftMs] = readings.find((reading) => reading[1] !== null) ?? [null, null]
  if (unit !== null) memory.unit = unit
  return leftMs
}

/** `2025-07-25 14:54:00 +0000`, ISO, HTTP dates. A time without zone is UTC. */
function parseDateTime(value: string): number {
  const hasZone = /(z|gmt|utc|[+-]\d{2}:?\d{2})$/i.test(value)
  return Date.parse(hasZone ? value : `${value.replace('T', ' ')} GMT`)
}

function plausibleLeftMs(leftMs: number): number | null {
  const isPlausible = leftMs >= -MAX_PAST_MS && leftMs <= MAX_LEFT_MS
  return isPlausible ? Math.ceil(leftMs) : null
}

function usualWindowMs({ longestLeftMs, unit }: ResetMemory): number | null {
  const roundingMs = (windowMs: number): number => {
    if (windowMs === USUAL_WINDOWS_MS[0] && unit !== null) return MAX_ROUNDING_OF_SECOND_MS[unit]
    if (windowMs < LONGER_WINDOWS_MS) return MAX_ROUNDING_OF_SHORT_MS
    return Math.min(MAX_ROUNDING_MS, windowMs / 5)
  }
  const holds = (windowMs: number): boolean => longestLeftMs <= windowMs + roundingMs(windowMs)
  return USUAL_WINDOWS_MS.find(holds) ?? null
}

function leadingInteger(value: string | null): number | null {
  const digits = /^-?\d+/.exec(value ?? '')?.[0]
  return digits === undefined ? null : Math.max(0, Number(digits))
}

function header(headers: Headers, name: string): string | null {
  const [value = ''] = [headers[name]].flat()
  return value.trim() || null
}
