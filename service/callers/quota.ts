import type { Clock } from '../../config/clock.ts'
import { parseDurationMs } from '../../config/values/duration.ts'

/** The calls that a key may make. */
export interface QuotaOptions {
  calls: number
  perMs: number
  /** `fixed`: windows of the clock, such as each full minute. `sliding`: every period of `perMs`. */
  kind: 'fixed' | 'sliding'
}

/** The state of a key's quota after a call. */
export interface QuotaState {
  allowed: boolean
  limit: number
  remaining: number
  /** Time from now: to the end of a fixed window, or until the oldest counted call leaves a sliding one. */
  resetInMs: number
}

/** Counts calls by key. Refused calls do not count. */
export interface Quota {
  take(keyId: string): QuotaState
  /** The state that a call would find. Counts no call. */
  peek(keyId: string): QuotaState
  /** Takes back the last call of a key. */
  giveBack(keyId: string): void
}

/** For services without a limit: headers need a number. */
export const UNLIMITED: QuotaOptions = { calls: 1_000_000, perMs: 60_000, kind: 'fixed' }

/** Above this many keys idle ones are forgotten: callers of an open service may send any key. */
const MAX_KNOWN_KEYS = 10_000

/** @param clock real time: windows must pass even when the source's clock stands still */
export function createQuota(options: QuotaOptions, clock: Clock): Quota {
  return options.kind === 'fixed' ? fixedQuota(options, clock) : slidingQuota(options, clock)
}

function fixedQuota({ calls, perMs }: QuotaOptions, clock: Clock): Quota {
  const windows = new Map<string, { startMs: number; used: number }>()
  const count = (keyId: string, cost: number): QuotaState => {
    const nowMs = clock.nowMs()
    const startMs = Math.floor(nowMs / perMs) * perMs
    const known = windows.get(keyId)
    const window = known?.startMs === startMs ? known : { startMs, used: 0 }
    forgetSome(windows, (other) => other.startMs < startMs)
    windows.set(keyId, window)
    const allowed = window.used < calls
    if (allowed) window.used += cost
    const resetInMs = startMs + perMs - nowMs
    return { allowed, limit: calls, remaining: calls - window.used, resetInMs }
  }
  return {
    take: (keyId) => count(keyId, 1),
    peek: (keyId) => count(keyId, 0),
    // After the end of the window this changes nothing: the next call begins another.
    giveBack: (keyId) => {
      const window = windows.get(keyId)
      if (window !== undefined) window.used = Math.max(0, window.used - 1)
    },
  }
}

function slidingQuota({ calls, perMs }: QuotaOptions, clock: Clock): Quota {
  const callsByKey = new Map<string, number[]>()
  const count = (keyId: string, isCall: boolean): QuotaState => {
    const nowMs = clock.nowMs()
    const counted = (callsByKey.get(keyId) ?? []).filter((atMs) => atMs > nowMs - perMs)
    const allowed = counted.length < calls
    if (allowed && isCall) counted.push(nowMs)
    forgetSome(callsByKey, (times) => times.every((atMs) => atMs <= nowMs - perMs))
    callsByKey.set(keyId, counted)
    const resetInMs = (counted[0] ?? nowMs) + perMs - nowMs
    return { allowed, limit: calls, remaining: calls - counted.length, resetInMs }
  }
  return {
    take: (keyId) => count(keyId, true),
    peek: (keyId) => count(keyId, false),
    giveBack: (keyId) => void callsByKey.get(keyId)?.pop(),
  }
}

function forgetSome<T>(byKey: Map<string, T>, isOver: (value: T) => boolean): void {
  if (byKey.size < MAX_KNOWN_KEYS) return
  for (const [keyId, value] of byKey) if (isOver(value)) byKey.delete(keyId)
}

/** The quota `500/1m` as a fixed window; null when the text is no quota. */
export function parseQuotaText(text: string): QuotaOptions | null {
  const [calls = '', per = '', ...more] = text.split('/')
  const perMs = parseDurationMs(per)
  if (!/^[1-9]\d{0,8}$/.test(calls) || perMs === null || more.length > 0) return null
  return { calls: Number(calls), perMs, kind: 'fixed' }
}
