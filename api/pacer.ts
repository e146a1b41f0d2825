import { setTimeout as sleepMs } from 'node:timers/promises'
import { type Clock, systemClock } from '../config/clock.ts'
import { MAX_IMPOSED_WAIT_MS } from './block-times.ts'
import { createQuota, type Quota } from './quota.ts'
import type { CallRate, RateState } from './rate-headers.ts'

/** Waits for `ms`; rejects with the signal's reason when the signal fires. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

export interface PacerOptions {
  /** The configured or the provider's known rate; null = learned from the first answer. */
  rate: CallRate | null
  /** Default: the real clock, because the quota is real even when a simulated market stands still. */
  clock?: Clock
  sleep?: Sleep
}

/** A permit for one physical request, or the news that none will come before `blockedUntilMs`. */
export type Permit = { granted: true } | { granted: false; blockedUntilMs: number }

/** One process's knowledge and use of its key's budget. */
export interface PacerUsage {
  /** Sent requests since the process began, refused and failed ones too. */
  calls: number
  /** Calls that were answered with 429. */
  refused: number
  /** Calls that wait for a permit now. */
  waiting: number
  /** The slowest of the configured, reported and learned rates; null = not known yet. */
  rate: CallRate | null
  /** Calls that may still count in the running window of that rate. */
  inWindow: number
  /** The end of the wait that the source demanded; at or before now = no wait. */
  throttledUntilMs: number
}

/** Gives every physical request of a process its permit. Every granted permit ends in `observe` or `abandon`. */
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
    /** Whether the call may use the month's reserve (gated-pacer.ts); the window has no reserve. */
    mayUseReserve?: boolean
  }): Promise<Permit>
  /** Notes an answer and the rate in its headers; null = no rate headers. */
  observe(rate: RateState | null): void
  /** Notes that a request ended without an answer; a request that was never sent is no call. */
  abandon(isSent: boolean): void
  /** Notes a wait that the source demanded (429). No call leaves before that time, at most 15 minutes ahead. */
  throttle(untilMs: number): void
  /** Notes a refused call (429). Without rate headers the real rate must then be lower than assumed. */
  refused(): void
  /** Sets this process's part of a shared budget; null = all of it. */
  lease(rate: CallRate | null): void
  /** The facts that a fleet needs of this process. */
  usage(): PacerUsage
  /** The time of the next permit, as far as known now; for `status`. */
  nextFreeAtMs(): number
}

/**
 * A permit may be late, by a timer, a slow call, or an event loop that stood still. The pacer makes up at most this
 * much lost time, at twice the pace, so that the rate is used whole. The log of own calls keeps every window within its
 * limit.
 */
const CATCH_UP_MS = 5_000
const CATCH_UP_PACE = 2

/** No wait is longer than this, so that the state is checked again; setTimeout cannot take Infinity. */
const MAX_TIMER_MS = 60_000

const realSleep: Sleep = (ms, signal) => sleepMs(ms, undefined, { signal })

/**
 * Keeps the budget of one process: gives permits one by one, without bursts, at the slower of the configured and the
 * reported rate. Before a rate is known, one request is in flight at a time. When the headers report no remaining call,
 * no call leaves until the reset.
 */
export function createPacer(options: PacerOptions): Pacer {
  const clock = options.clock ?? systemClock
  const sleep = options.sleep ?? realSleep
  const quota: Quota = createQuota(options.rate)
  /** The time of the last permit, and the time when it was due at an even pace. */
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
    // The last permit never lies in the future, so that a clock that was set back does not stall the pacer.
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
      throttledUntilMs = Math.max(throttledUntilMs, Math.min(untilMs, nowMs + MAX_IMPOSED_WAIT_MS))
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

/** Lets an aborted caller leave the line at once, not at its turn, and gives its late permit back. */
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
