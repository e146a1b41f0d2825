import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Clock } from '../../config/clock.ts'
import { parseDurationMs } from '../../config/values/duration.ts'

/** The calls that a key may make in each window of the clock, such as each full minute. */
export interface QuotaOptions {
  calls: number
  perMs: number
}

/** The holder of an accepted key. */
export interface KeyIdentity {
  id: string
  /** Quota of this key; null = that of the service. */
  quota: QuotaOptions | null
}

/** The state of a key's quota after a call. */
export interface QuotaState {
  allowed: boolean
  limit: number
  remaining: number
  /** Time from now to the end of the window. */
  resetInMs: number
}

export type Quotas = ReturnType<typeof createQuotas>

/** For services without a limit: headers need a number. */
const UNLIMITED: QuotaOptions = { calls: 1_000_000, perMs: 60_000 }

/** Most windows in memory: callers of an open service may send any key. The least recently used are forgotten. */
const MAX_KNOWN_WINDOWS = 10_000

/**
 * Counts the calls of all callers of a service. Calls beyond the quota do not count.
 *
 * @param common the quota of callers without one of their own; null = no limit
 * @param clock real time: windows must pass even when the source's clock stands still
 */
export function createQuotas(common: QuotaOptions | null, clock: Clock) {
  let limit = common ?? UNLIMITED
  const windows = new LRUCache<string, { endMs: number; used: number }>({ max: MAX_KNOWN_WINDOWS })
  const count = (caller: KeyIdentity, cost: -1 | 0 | 1): QuotaState => {
    const { calls, perMs } = caller.quota ?? limit
    const nowMs = clock.nowMs()
    const name = `${calls}/${perMs} ${caller.id}`
    const known = windows.get(name)
    const endMs = (Math.floor(nowMs / perMs) + 1) * perMs
    const window = known?.endMs === endMs ? known : { endMs, used: 0 }
    windows.set(name, window)
    const allowed = window.used < calls
    if (allowed || cost < 0) window.used = Math.max(0, window.used + cost)
    return { allowed, limit: calls, remaining: calls - window.used, resetInMs: endMs - nowMs }
  }
  return {
    take: (caller: KeyIdentity) => count(caller, 1),
    /** The state that a call would find. Counts no call. */
    peek: (caller: KeyIdentity) => count(caller, 0),
    /** Takes back the last call of a caller. After the end of its window this changes nothing. */
    giveBack: (caller: KeyIdentity): void => void count(caller, -1),
    /** Changes the common quota from the next call on, in a new window. */
    limitTo: (changed: QuotaOptions): void => {
      limit = changed
    },
  }
}

/** A quota as people write it, such as `500/1m`. */
export const quotaSchema = z
  .string()
  .refine((text) => parseQuotaText(text) !== null, 'expected calls and a window, such as 500/1m')

/** The quota `500/1m`; null when the text is no quota. */
export function parseQuotaText(text: string): QuotaOptions | null {
  const [calls = '', per = '', ...more] = text.split('/')
  const perMs = parseDurationMs(per)
  if (!/^[1-9]\d{0,8}$/.test(calls) || perMs === null || more.length > 0) return null
  return { calls: Number(calls), perMs }
}
