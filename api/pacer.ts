import { setTimeout as sleepMs } from 'node:timers/promises'
import { type Clock, systemClock } from '../config/clock.ts'
import { MAX_BLOCK_MS } from './block-times.ts'
import { createQuota, type Quota } from './quota.ts'
import type { CallRate, RateState } from './rate-headers.ts'

/** Waits that long; rejects with the signal's reason when it fires. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

export interface PacerOptions {
  /** Said by the user or known of the provider; null = learned from the first answer. */
  rate: CallRate | null
  /** The real clock, except in tests: a market that stands still has a real quota. */
  clock?: Clock
  sleep?: Sleep
}

/** A permit for one physical request, or the news that none will come before `blockedUntilMs`. */
export type Permit = { granted: true } | { granted: false; blockedUntilMs: number }

/** One process's knowledge and use of its key's budget. */
export interface PacerUsage {
  /** Permits since the process began, without those of requests that were never sent: refused and failed calls count too. */
  calls: number
  /** Calls that were answered with 429. */
  refused: number
  /** Wishes that wait for a permit now. */
  waiting: number
  /** The slowest of the configured, reported and learned rates; null = not known yet. */
  rate: CallRate | null
  /** Calls that may still weigh in the running window of that rate. */
  inWindow: number
  /** The end of the wait that the source demanded; at or before now = no wait. */
  throttledUntilMs: number
}

/** Stands in front of every physical request of a process. Every granted permit ends in `observe` or `abandon`. */
export interface Pacer {
  /**
   * Waits in line for a permit. With `maxBlockMs` a longer wait demanded by the source is refused at once, so that no
   * caller holds a place for minutes; waiting for a turn at the normal pace is never refused.
   *
   * @throws the signal's reason when the signal fires first.
   */
  acquire(options?: {
    signal?: AbortSignal | undefined
    maxBlockMs?: number
    /** Of the month's calls it may take those that backfills leave alone; the window knows no such calls. */
    mayUseReserve?: boolean
  }): Promise<Permit>
  /** An answer came, with what its headers say; null = it has no rate headers. */
  observe(rate: RateState | null): void
  /** The request ended without an answer; one that was never sent is no call. */
  abandon(isSent: boolean): void
  /** The source demanded a wait (429): no call leaves before that time, at most 15 minutes ahead. */
  throttle(untilMs: number): void
  /** The source refused a call (429): without headers the real rate must be lower than assumed. */
  refused(): void
  /** Sets this process's part of a shared budget; null = all of it. */
  lease(rate: CallRate | null): void
  /** The facts that a fleet needs of this process. */
  usage(): PacerUsage
  /** The time of the next permit, as far as known now; for `status`. */
  nextFreeAtMs(): number
}

/**
 * A permit may be late: a timer, a slow call, or an event loop that stood still. The pacer catches up to this much
 * lost time at twice the pace, so that the rate is used whole. The log of own calls keeps every window within its
 * limit.
 */
const CATCH_UP_MS = 5_000
const CATCH_UP_PACE = 2

/** Infinity is no timer, and the state is looked at again now and then. */
const MAX_TIMER_MS = 60_000

const realSleep: Sleep = (ms, signal) => sleepMs(ms, undefined, { signal })

/**
 * The in-process ring of the budget: permits one by one, with burst 1, at the slower of the configured and the
 * reported rate. Before a rate is known, one request is in flight at a time; when the headers report no call
 * remaining, no call leaves until the reset.
 */
export function createPacer(options: PacerOptions): Pacer {
  const clock = options.clock ?? systemClock
  const sleep = options.sleep ?? realSleep
  const quota: Quota = createQuota(options.rate)
  /** When the last permit was given, and when it was due at the even pace. */
  let lastMs = -Infinity
  let lastDueMs = -Infinity
  let turn: Promise<unknown> = Promise.resolve()
  let changed = Promise.withResolvers<void>()
  let calls = 0
  let refused = 0
  let waiting = 0
  let throttledUntilMs = -Infinity

  function wakeUp(): void {
    changed.resolve()
    changed = Promise.withResolvers<void>()
  }

  function slotMs(nowMs: number): number {
    // A clock that was set back must not stall the pacer: the last permit never lies in the future.
    lastMs = Math.min(lastMs, nowMs)
    lastDueMs = Math.min(lastDueMs, nowMs)
    const intervalMs = quota.intervalMs()
    return Math.max(nowMs, lastMs + intervalMs / CATCH_UP_PACE, lastDueMs + intervalMs)
  }

  async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
    const awake = new AbortController()
    const both = signal === undefined ? awake.signal : AbortSignal.any([signal, awake.signal])
    const timer = sleep(Math.min(ms, MAX_TIMER_MS), both).catch((error: unknown) => {
      if (!both.aborted) throw error
    })
    await Promise.race([timer, changed.promise])
    awake.abort()
  }

  async function takeTurn(signal: AbortSignal | undefined, maxBlockMs: number): Promise<Permit> {
    for (;;) {
      signal?.throwIfAborted()
      const nowMs = clock.nowMs()
      const gate = quota.gate(nowMs)
      if (gate.blockedUntilMs - nowMs > maxBlockMs) {
        return { granted: false, blockedUntilMs: gate.blockedUntilMs }
      }
      const freeAtMs = Math.max(
        slotMs(nowMs),
        gate.blockedUntilMs,
        gate.awaitsAnswerUntilMs ?? -Infinity,
        gate.turnAtMs,
      )
      if (freeAtMs <= nowMs) {
        const isFirst = lastDueMs === -Infinity
        const dueMs = lastDueMs + quota.intervalMs()
        lastDueMs = isFirst ? nowMs : Math.max(dueMs, nowMs - CATCH_UP_MS)
        lastMs = nowMs
        quota.take(nowMs)
        calls++
        return { granted: true }
      }
      await wait(freeAtMs - nowMs, signal)
    }
  }

  return {
    acquire({ signal, maxBlockMs = Infinity } = {}) {
      waiting++
      const mine = turn.then(() => takeTurn(signal, maxBlockMs))
      turn = mine
        .catch(() => undefined)
        .finally(() => {
          waiting--
        })
      const giveBack = (): void => quota.abandoned(clock.nowMs())
      return signal === undefined ? mine : leaveLineOnAbort(mine, signal, giveBack)
    },
    observe(rate) {
      quota.answered(rate, clock.nowMs())
      wakeUp()
    },
    abandon(isSent) {
      if (!isSent) calls--
      quota.abandoned(clock.nowMs())
      wakeUp()
    },
    throttle(untilMs) {
      const nowMs = clock.nowMs()
      throttledUntilMs = Math.max(throttledUntilMs, Math.min(untilMs, nowMs + MAX_BLOCK_MS))
      quota.block(untilMs, nowMs)
      wakeUp()
    },
    refused() {
      refused++
      quota.refused(clock.nowMs())
    },
    lease(rate) {
      quota.lease(rate)
      wakeUp()
    },
    usage() {
      const rate = quota.knownRate()
      const inWindow = rate === null ? 0 : quota.countSince(clock.nowMs() - rate.perMs)
      return { calls, refused, waiting, rate, inWindow, throttledUntilMs }
    },
    nextFreeAtMs() {
      const nowMs = clock.nowMs()
      return Math.max(slotMs(nowMs), quota.gate(nowMs).blockedUntilMs)
    },
  }
}

/** An aborted caller leaves the line at once, not at its turn; its late permit is given back. */
async function leaveLineOnAbort(
  mine: Promise<Permit>,
  signal: AbortSignal,
  giveBack: () => void,
): Promise<Permit> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = (): void => aborted.reject(signal.reason)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([mine, aborted.promise])
  } catch (error) {
    void returnLatePermit(mine, giveBack)
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

async function returnLatePermit(mine: Promise<Permit>, giveBack: () => void): Promise<void> {
  const permit = await mine.catch(() => null)
  if (permit?.granted === true) giveBack()
}
