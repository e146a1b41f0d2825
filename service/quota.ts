import type { Clock } from '../config/clock.ts'

/** How many calls a key may make. */
export interface QuotaOptions {
  calls: number
  perMs: number
  /** `fixed`: windows aligned to the clock (every full minute); `sliding`: any stretch of `perMs`. */
  kind: 'fixed' | 'sliding'
}

/** What a call met. Times are ms from now, so that they can be told on any clock. */
export interface QuotaState {
  allowed: boolean
  limit: number
  remaining: number
  /** Fixed: until the window ends. Sliding: until the oldest counted call leaves the window. */
  resetInMs: number
}

/** Counts calls by key. A refused call costs nothing: asking while throttled does not prolong it. */
export interface Quota {
  take(keyId: string): QuotaState
}

/** @param clock real time, also where the service itself stands at a frozen one: a window must pass. */
export function createQuota(options: QuotaOptions, clock: Clock): Quota {
  return options.kind === 'fixed' ? fixedQuota(options, clock) : slidingQuota(options, clock)
}

function fixedQuota({ calls, perMs }: QuotaOptions, clock: Clock): Quota {
  const windows = new Map<string, { startMs: number; used: number }>()
  return {
    take: (keyId) => {
      const nowMs = clock.nowMs()
      const startMs = Math.floor(nowMs / perMs) * perMs
      const known = windows.get(keyId)
      const window = known?.startMs === startMs ? known : { startMs, used: 0 }
      windows.set(keyId, window)
      const allowed = window.used < calls
      if (allowed) window.used += 1
      const resetInMs = startMs + perMs - nowMs
      return { allowed, limit: calls, remaining: calls - window.used, resetInMs }
    },
  }
}

function slidingQuota({ calls, perMs }: QuotaOptions, clock: Clock): Quota {
  const callsByKey = new Map<string, number[]>()
  return {
    take: (keyId) => {
      const nowMs = clock.nowMs()
      const counted = (callsByKey.get(keyId) ?? []).filter((atMs) => atMs > nowMs - perMs)
      const allowed = counted.length < calls
      if (allowed) counted.push(nowMs)
      callsByKey.set(keyId, counted)
      const resetInMs = (counted[0] ?? nowMs) + perMs - nowMs
      return { allowed, limit: calls, remaining: calls - counted.length, resetInMs }
    },
  }
}
