import { type Clock, systemClock } from '../config/clock.ts'
import { MonthSpentError } from './month-spent-error.ts'
import type { RateState } from './rate-headers.ts'

/** A value for backfills, and one for other runs, which may use the reserve of the month. */
interface ByUse<T> {
  backfill: T
  others: T
}

/** The calls that a process may make in its key's month until the next lease. */
export interface MonthLease {
  /** Most calls of the process since its start. */
  upTo: ByUse<number>
  /** Whether this month grants no more, so that waiting is in vain. */
  isLast: ByUse<boolean>
}

export interface MonthGateOptions {
  /** Calls of a UTC month; null = no ceiling is configured, so only the service's own limit counts. */
  ceiling: number | null
  /** How many calls of that ceiling backfills must leave unused. */
  reserveOf(ceiling: number): number
  /** Identifies the key without revealing it. */
  keyId: string
  /** Default: the real clock, because months pass even when a simulated market stands still. */
  clock?: Clock
}

/** Lets as many calls pass as the key's month still has; asked before the pacer. */
export interface MonthGate {
  /**
   * Lets one call pass, or waits for a lease that allows it. No call passes before the first lease.
   *
   * @throws MonthSpentError; the signal's reason when the signal fires first.
   */
  enter(mayUseReserve: boolean, signal?: AbortSignal): Promise<void>
  /** Returns a call that passed and was never sent. */
  giveBack(): void
  /** Reads an answer's rate. A limit whose reset is days away is the month's limit. */
  observe(rate: RateState | null): void
  /** Sets the lease; null = no ceiling is known. */
  lease(lease: MonthLease | null): void
  /** Count of calls that wait for a lease. */
  waiting(): number
}

const HOUR_MS = 3_600_000
/** A reset further away than a day, with some room for clocks, belongs to a longer quota. */
const LONGER_THAN_A_DAY_MS = 26 * HOUR_MS

/** A gate that lets no call pass before the first lease. */
export function createMonthGate(options: MonthGateOptions): MonthGate {
  const { ceiling, keyId } = options
  const clock = options.clock ?? systemClock
  let lease: MonthLease | null | undefined
  let serviceLimit: { limit: number; remaining: number; resetAtMs: number } | null = null
  let entered = 0
  let waiting = 0
  let changed = Promise.withResolvers<void>()

  /** Refuses a call beyond the service's own limit, which counts whatever was configured. */
  function refuseAtServiceLimit(mayUseReserve: boolean): void {
    if (serviceLimit === null || clock.nowMs() >= serviceLimit.resetAtMs) return
    const { limit, remaining, resetAtMs } = serviceLimit
    const kept = mayUseReserve ? null : options.reserveOf(limit)
    if (remaining > (kept ?? 0)) return
    const facts = { endsAtMs: resetAtMs, ceiling: limit, reserve: kept, isTold: true, keyId }
    throw new MonthSpentError(facts)
  }

  function spent(mayUseReserve: boolean): MonthSpentError {
    const limit = ceiling ?? 0
    const kept = mayUseReserve ? null : options.reserveOf(limit)
    const endsAtMs = nextMonthMs(clock.nowMs())
    const facts = { endsAtMs, ceiling: limit, reserve: kept, isTold: false, keyId }
    return new MonthSpentError(facts)
  }

  async function nextLease(signal: AbortSignal | undefined): Promise<void> {
    const aborted = Promise.withResolvers<never>()
    const onAbort = (): void => aborted.reject(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    waiting++
    try {
      await Promise.race([changed.promise, aborted.promise])
    } finally {
      waiting--
      signal?.removeEventListener('abort', onAbort)
    }
  }

  return {
    async enter(mayUseReserve, signal) {
      const use = mayUseReserve ? 'others' : 'backfill'
      for (;;) {
        signal?.throwIfAborted()
        refuseAtServiceLimit(mayUseReserve)
        if (lease === null || (lease !== undefined && entered < lease.upTo[use])) break
        if (lease?.isLast[use] === true) throw spent(mayUseReserve)
        await nextLease(signal)
      }
      entered++
      if (serviceLimit !== null) serviceLimit.remaining--
    },
    giveBack() {
      entered--
      if (serviceLimit !== null) serviceLimit.remaining++
    },
    observe(rate) {
      if (rate === null || rate.limit === null || rate.remaining === null) return
      const { limit, remaining, resetAtMs, observedAtMs } = rate
      if (resetAtMs === null || resetAtMs - observedAtMs < LONGER_THAN_A_DAY_MS) return
      // Answers overtake each other, but within a month the remaining calls only shrink.
      const isSame =
        serviceLimit !== null && resetAtMs - serviceLimit.resetAtMs < LONGER_THAN_A_DAY_MS
      const left = isSame ? Math.min(serviceLimit?.remaining ?? remaining, remaining) : remaining
      serviceLimit = { limit, remaining: left, resetAtMs }
    },
    lease(newLease) {
      lease = newLease
      changed.resolve()
      changed = Promise.withResolvers<void>()
    },
    waiting: () => waiting,
  }
}

function nextMonthMs(nowMs: number): number {
  const now = new Date(nowMs)
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
}
