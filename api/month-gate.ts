import { HOUR_MS } from '../config/values/duration.ts'
import { type Clock, systemClock } from '../config/clock.ts'
import { orAbort } from '../config/or-abort.ts'
import { MonthSpentError, type SpentMonth } from './month-spent-error.ts'
import type { RateState } from './rate-headers.ts'

/** A value for backfills, and one for other runs. Only other runs may use the month's reserve. */
interface ByUse<T> {
  backfill: T
  others: T
}

/** The part of the key's month that a process has until the next lease. */
export interface MonthLease {
  /** A call may leave while the process has made fewer calls than this since it began. */
  upTo: ByUse<number>
  /** Whether this month grants no further lease. */
  isLast: ByUse<boolean>
}

export interface MonthGateOptions {
  /** Calls of a UTC month; null: none configured, so only the service's own limit counts. */
  ceiling: number | null
  /** Calls of the ceiling that backfills must leave. */
  reserveOf(ceiling: number): number
  keyId: string
  /** Default: the real clock. Months pass even when a simulated market stands still. */
  clock?: Clock
}

/** Lets as many calls pass as the key's month still has. Asked before the pacer. */
export interface MonthGate {
  /**
   * Lets one call pass, or waits for a lease that allows it. No call passes before the first lease.
   *
   * @throws MonthSpentError; the signal's reason when the signal fires first
   */
  enter(mayUseReserve: boolean, signal?: AbortSignal): Promise<void>
  /** Notes that a call passed but was never sent, so it counts no more. */
  giveBack(): void
  /** Reads an answer's rate. A limit whose reset is days away is the month's. */
  observe(rate: RateState | null): void
  /** Sets the lease; null: no ceiling is known. */
  setLease(lease: MonthLease | null): void
  waiting(): number
}

/** A reset further away than this belongs to a month. Two hours more than a day, for clocks that differ. */
const LONGER_THAN_A_DAY_MS = 26 * HOUR_MS

export function createMonthGate(options: MonthGateOptions): MonthGate {
  const { ceiling, keyId } = options
  const clock = options.clock ?? systemClock
  let lease: MonthLease | null | undefined
  let serviceLimit: { limit: number; remaining: number; resetAtMs: number } | null = null
  let entered = 0
  let waiting = 0
  let changed = Promise.withResolvers<void>()

  function spentError(mayUseReserve: boolean, month: Omit<SpentMonth, 'reserve' | 'keyId'>): Error {
    const reserve = mayUseReserve ? null : options.reserveOf(month.ceiling)
    return new MonthSpentError({ ...month, reserve, keyId })
  }

  /** Refuses a call beyond the service's own limit, which counts beside the configured one. */
  function refuseAtServiceLimit(mayUseReserve: boolean): void {
    if (serviceLimit === null || clock.nowMs() >= serviceLimit.resetAtMs) return
    const { limit, remaining, resetAtMs } = serviceLimit
    if (remaining > (mayUseReserve ? 0 : options.reserveOf(limit))) return
    throw spentError(mayUseReserve, { endsAtMs: resetAtMs, ceiling: limit, isOfService: true })
  }

  async function awaitNextLease(signal: AbortSignal | undefined): Promise<void> {
    waiting++
    try {
      await (signal === undefined ? changed.promise : orAbort(changed.promise, signal))
    } finally {
      waiting--
    }
  }

  return {
    async enter(mayUseReserve, signal) {
      const use = mayUseReserve ? 'others' : 'backfill'
      for (;;) {
        signal?.throwIfAborted()
        refuseAtServiceLimit(mayUseReserve)
        if (lease === null || (lease !== undefined && entered < lease.upTo[use])) break
        if (lease?.isLast[use] === true) {
          const endsAtMs = startOfMonthMs(clock.nowMs(), 1)
          throw spentError(mayUseReserve, { endsAtMs, ceiling: ceiling ?? 0, isOfService: false })
        }
        await awaitNextLease(signal)
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
      // Answers overtake each other, but within a month of one limit the remaining calls only shrink. With another limit
      // the answer that comes last counts.
      const isSame =
        serviceLimit?.limit === limit && resetAtMs - serviceLimit.resetAtMs < LONGER_THAN_A_DAY_MS
      const left = isSame ? Math.min(serviceLimit!.remaining, remaining) : remaining
      serviceLimit = { limit, remaining: left, resetAtMs }
    },
    setLease(newLease) {
      lease = newLease
      changed.resolve()
      changed = Promise.withResolvers<void>()
    },
    waiting: () => waiting,
  }
}

/** Start of the UTC month `after` months after that of a moment, epoch ms. */
export function startOfMonthMs(ms: number, after = 0): number {
  const at = new Date(ms)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + after, 1)
}
