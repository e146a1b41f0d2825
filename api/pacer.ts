import { setTimeout as sleepMs } from 'node:timers/promises'
import { type Clock, systemClock } from '../config/clock.ts'
import { orAbort } from '../config/or-abort.ts'
import { MAX_IMPOSED_WAIT_MS } from './imposed-waits.ts'
import { createQuota } from './quota.ts'
import type { CallRate, RateState } from './rate-headers.ts'

/** Waits for `ms`. Rejects with the signal's reason when the signal fires. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

export interface PacerOptions {
  /** The configured or the provider's known rate; null: learned from the first answer. */
  rate: CallRate | null
  /** Default: the real clock. The quota is real even when a simulated market stands still. */
  clock?: Clock
  sleep?: Sleep
}

/** The answer to `acquire`: a permit for one physical request, or the time before which none is given. */
export type Permit = { granted: true } | { granted: false; blockedUntilMs: number }

/** The use of a key's budget by one process. */
export interface PacerUsage {
  /** Sent requests since the process began, refused and failed ones too. */
  calls: number
  refused: number
  waiting: number
  /** The slowest of the configured, reported and learned rates; null: not known yet. */
  rate: CallRate | null
  /** Calls already made that the source may still count in its current window. */
  inWindow: number
  /** The end of the demanded wait; a past time: no wait. */
  throttledUntilMs: number
}

/** Gives every physical request of a process its permit. Each permit ends in `observe` or `abandon`. */
export interface Pacer {
  /**
   * Waits in line for a permit. A demanded wait longer than `maxBlockMs` is refused at once. A wait for a turn at the
   * usual pace is never refused.
   *
   * @throws the signal's reason when the signal fires first
   */
  acquire(options?: {
    signal?: AbortSignal | undefined
    maxBlockMs?: number
    /** Whether the call may use the month's reserve (gated-pacer.ts). */
    mayUseReserve?: boolean
  }): Promise<Permit>
  /** Notes an answer, the rate in its headers (null: none), and when its request left. */
  observe(rate: RateState | null, askedAtMs: number): void
  /** Notes a request without an answer. `calls` drops one that was never sent, but the window counts it. */
  abandon(isSent: boolean): void
  /** Notes a demanded wait (429). No call leaves before that time, at most 15 minutes ahead. */
  throttle(untilMs: number): void
  /** Notes a refused call (429). Without rate headers, the real rate must be lower than assumed. */
  noteRefusal(): void
  /** Sets this process's part of a shared budget; null: all of it. */
  setLease(rate: CallRate | null): void
  usage(): PacerUsage
  /** The earliest time of the next permit, by pace and demanded waits. Calls in flight may delay it. */
  earliestPermitMs(): number
}

/**
 * Timers, slow calls and a busy event loop delay permits. The pacer makes up this much lost time, at twice the pace.
 * The log of own calls keeps every window within its limit.
 */
const CATCH_UP_MS = 5_000
const CATCH_UP_PACE = 2

/** Longest wait before the state is checked again. setTimeout cannot take Infinity. */
const MAX_TIMER_MS = 60_000

const realSleep: Sleep = (ms, signal) => sleepMs(ms, undefined, { signal })

/**
 * Keeps the budget of one process. Permits come one by one, without bursts, at the slower of the configured and the
 * reported rate. While no rate is known, one request is in flight at a time. When no call remains, none leaves until
 * the reset.
 */
export function createPacer(options: PacerOptions): Pacer {
  const clock = options.clock ?? systemClock
  const sleep = options.sleep ?? realSleep
  const quota = createQuota(options.rate)
  /** When the last permit was given, and when it was due at an even pace. */
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

  /** The earliest time of the next permit by the pace alone. */
  function earliestByPaceMs(nowMs: number): number {
    // After a clock was set back, a last permit in the future would stall the pacer.
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
      const freeAtMs = Math.max(earliestByPaceMs(nowMs), gate.blockedUntilMs, gate.turnAtMs)
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
      const abandonPermit = (): void => quota.abandoned(clock.nowMs())
      return signal === undefined ? mine : leaveLineOnAbort(mine, signal, abandonPermit)
    },
    observe(rate, askedAtMs) {
      quota.answered(rate, clock.nowMs(), askedAtMs)
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
    noteRefusal() {
      refused++
      quota.noteRefusal(clock.nowMs())
    },
    setLease(rate) {
      quota.setLease(rate)
      wakeUp()
    },
    usage() {
      const rate = quota.knownRate()
      const inWindow = rate === null ? 0 : quota.countSince(clock.nowMs() - rate.perMs)
      return { calls, refused, waiting, rate, inWindow, throttledUntilMs }
    },
    earliestPermitMs() {
      const nowMs = clock.nowMs()
      return Math.max(earliestByPaceMs(nowMs), quota.gate(nowMs).blockedUntilMs)
    },
  }
}

/** Lets an aborted caller leave the line at once. A permit that comes later is abandoned. */
async function leaveLineOnAbort(
  mine: Promise<Permit>,
  signal: AbortSignal,
  abandonPermit: () => void,
): Promise<Permit> {
  try {
    return await orAbort(mine, signal)
  } catch (error) {
    const abandonIfGranted = ({ granted }: Permit): void => void (granted && abandonPermit())
    void mine.then(abandonIfGranted, () => undefined)
    throw error
  }
}
