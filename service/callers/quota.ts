import type { Clock } from '../../config/clock.ts'

/** How many calls a key may make. */
export interface QuotaOptions {
  calls: number
  perMs: number
  /** `fixed`: windows aligned to the clock (every full minute); `sliding`: every period of `perMs`. */
  kind: 'fixed' | 'sliding'
}

/** The state of a key's quota after a call. Times are ms from now, valid on any clock. */
export interface QuotaState {
  allowed: boolean
  limit: number
  remaining: number
  /** Fixed: until the window ends. Sliding: until the oldest counted call leaves the window. */
  resetInMs: number
}

/** Counts calls by key. A refused call is not counted, so asking while throttled does not prolong it. */
export interface Quota {
  take(keyId: string): QuotaState
  /** The state that a call would meet, without counting a call. */
  peek(keyId: string): QuotaState
  /** Takes back the last call of a key, which was refused after it was counted. */
  giveBack(keyId: string): void
}

/** For services without a limit, whose headers need a number: more than any process can answer. */
export const UNLIMITED: QuotaOptions = { calls: 1_000_000, perMs: 60_000, kind: 'fixed' }

/** Beyond this many keys idle ones are forgotten, because callers of an open service send any key. */
const MAX_KNOWN_KEYS = 10_000

/** @param clock real time, because windows must pass even when the source's clock stands still */
export function createQuota(options: QuotaOptions, clock: Clock): Quota {
  return options.kind === 'fixed' ? fixedQuota(options, clock) : slidingQuota(options, clock)
}

function fixedQuota({ calls, perMs }: QuotaOptions, clock: Clock): Quota {
  const windows = new Map<string, { startMs: number; used: number }>()
  const meet = (keyId: string, cost: number): QuotaState => {
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
    take: (keyId) => meet(keyId, 1),
    peek: (keyId) => meet(keyId, 0),
    // If the window has ended meanwhile, this changes nothing, because the next call begins another.
    giveBack: (keyId) => {
      const window = windows.get(keyId)
      if (window !== undefined) window.used = Math.max(0, window.used - 1)
    },
  }
}

function slidingQuota({ calls, perMs }: QuotaOptions, clock: Clock): Quota {
  const callsByKey = new Map<string, number[]>()
  const meet = (keyId: string, isCall: boolean): QuotaState => {
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
    take: (keyId) => meet(keyId, true),
    peek: (keyId) => meet(keyId, false),
    giveBack: (keyId) => void callsByKey.get(keyId)?.pop(),
  }
}

function forgetSome<T>(byKey: Map<string, T>, isOver: (value: T) => boolean): void {
  if (byKey.size < MAX_KNOWN_KEYS) return
  for (const [keyId, value] of byKey) if (isOver(value)) byKey.delete(keyId)
}
