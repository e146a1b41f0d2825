import { type Clock, systemClock } from '../config/clock.ts'
import { MonthSpentError } from './month-spent-error.ts'
import type { RateState } from './rate-headers.ts'

/** A number or an answer for backfills, and for the runs that may use the reserve of the month. */
interface ByUse<T> {
  backfill: T
  others: T
}

/** The calls that a process may make in its key's month until the next lease. */
export interface MonthLease {
  /** Calls in the life of the process that it may have made. */
  upTo: ByUse<number>
  /** Whether no more will be granted in this month: waiting is in vain. */
  isLast: ByUse<boolean>
}

export interface MonthGateOptions {
  /** Calls of a UTC month; null = none is known, only what the service tells counts. */
  ceiling: number | null
  /** Calls that backfills leave alone of so many. */
  reserveOf(ceiling: number): number
  /** Names the key without telling it. */
  keyId: string
  /** Real time unless a test says otherwise: months pass, also where a market stands still. */
  clock?: Clock
}

/** Lets out as many calls as the month of a key still has. Stands before the pacer. */
export interface MonthGate {
  /**
   * Lets one call out, or waits for the word that it may go. Nothing leaves before the first word.
   *
   * @throws MonthSpentError; the signal's reason when it fires first.
   */
  enter(mayUseReserve: boolean, signal?: AbortSignal): Promise<void>
  /** A call that was let out was not made. */
  giveBack(): void
  /** Takes in an answer's headers: a limit whose reset is days away is that of a month. */
  observe(rate: RateState | null): void
  /** null = nobody knows a ceiling. */
  lease(lease: MonthLease | null): void
  /** How many wait for the word. */
  waiting(): number
}

const HOUR_MS = 3_600_000
/** A reset further away than a day, with some room for clocks, is that of a longer quota. */
const LONGER_THAN_A_DAY_MS = 26 * HOUR_MS

/** A gate that is shut until the first lease. */
export function createMonthGate(options: MonthGateOptions): MonthGate {
  const { ceiling, keyId } = options
  const clock = options.clock ?? systemClock
  let lease: MonthLease | null | undefined
  let serviceLimit: { limit: number; remaining: number; resetAtMs: number } | null = null
  let entered = 0
  let waiting = 0
  let changed = Promise.withResolvers<void>()

  /** The service's own limit holds, whatever was configured. */
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

  async function nextWord(signal: AbortSignal | undefined): Promise<void> {
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
        await nextWord(signal)
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
      // Answers overtake each other: within a month what is left only shrinks.
      const isSame =
        serviceLimit !== null && resetAtMs - serviceLimit.resetAtMs < LONGER_THAN_A_DAY_MS
      const left = isSame ? Math.min(serviceLimit?.remaining ?? remaining, remaining) : remaining
      serviceLimit = { limit, remaining: left, resetAtMs }
    },
    lease(word) {
      lease = word
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
