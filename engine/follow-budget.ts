import { setTimeout as sleepMs } from 'node:timers/promises'
import { REPORT_EVERY_MS } from '../workflows/steer-budget.ts'
import { leaseAlone } from '../workflows/share-month.ts'
import type { MonthClaim, MonthLease, MonthUse } from '../workflows/share-month.ts'
import type { BudgetLease, BudgetReport, WindowRate } from '../workflows/steer-budget.ts'
import { systemClock } from '../config/clock.ts'
import type { Clock } from '../config/clock.ts'

/** The part of this process's pacer that the shared budget reads and steers. */
export interface SharedPacer {
  usage(): {
    calls: number
    waiting: number
    inWindow: number
    rate: WindowRate | null
    throttledUntilMs: number
  }
  lease(rate: WindowRate | null): void
  throttle(untilMs: number): void
}

/** The part of a process that keeps it within the month of its key. */
export interface SharedMonth {
  /** The configured limits. */
  limits: Pick<MonthClaim, 'ceiling' | 'reserve'>
  lease(lease: MonthLease | null): void
  /** Count of calls that wait for a lease. */
  waiting(): number
}

export interface FollowBudgetOptions {
  /** Name of this process, unique for its life. */
  member: string
  /** The warehouse whose store this process has open; only one living process can hold it. */
  place: string
  pacer: SharedPacer
  /** Absent = this process keeps no month. */
  month?: SharedMonth
  /** Calls of the UTC month that this process knows without the budget. */
  monthUse: MonthUse
  /** Called when the month's count has changed. */
  onUsed: (month: MonthUse) => void
  /** Called once when the budget cannot be reached. This process then keeps the rate by itself. */
  onLost: (error: unknown) => void
  /** Brings a report to the budget; rejects when it cannot be reached. */
  ask: (report: BudgetReport) => Promise<BudgetLease>
  /** Default: the real clock and its timers. */
  clock?: Clock
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

export interface BudgetLink {
  /** Gives the share back, and ends the link. */
  close(): Promise<void>
}

/** Time between two checks whether a report is due; the first call of a process waits for the next check. */
const LOOK_EVERY_MS = 25
/** A demanded wait counts as new when it is longer by this much. */
const NEWS_MS = 500
/** Time between reports of a process with less than its due, because others may give calls back soon. */
const REPORT_EVERY_SHORT_MS = 500
/** After this time without a call, a process counts as idle. */
const BUSY_FOR_MS = 4_000
/** After this time without an answer of the budget, the process keeps the rate by itself. */
const LOST_AFTER_MS = 30_000

const realSleep = (ms: number, signal: AbortSignal): Promise<void> =>
  sleepMs(ms, undefined, { signal })

/**
 * Keeps the pacer of this process to the share that the budget of its key leases. No call leaves before the first
 * lease. Rates and waits that the source announces are reported at once. A process without calls to make is no member;
 * it joins with its first call, and leaves after a while without one.
 */
export function followBudget(options: FollowBudgetOptions): BudgetLink {
  const { member, place, pacer, month, onUsed, onLost, ask } = options
  const clock = options.clock ?? systemClock
  const sleep = options.sleep ?? realSleep
  let heldCalls: number | null = 0
  let lastReport: { atMs: number; rate: string; holds: number | null; isBusy: boolean } | null =
    null
  let lease: BudgetLease | null = null
  let heardAtMs = clock.nowMs()
  let busyAtMs = -Infinity
  let lastCalls = 0
  let knownThrottleMs = 0
  let isLost = false
  let isMember = false
  let { monthUse } = options
  /** Calls of this process that `monthUse` contains. */
  let countedCalls = 0
  let monthHolds = 0
  const closing = new AbortController()
  pacer.lease({ calls: 0, perMs: 1 })

  async function report(isLeaving: boolean): Promise<void> {
    const nowMs = clock.nowMs()
    const { inWindow, rate, throttledUntilMs } = pacer.usage()
    // A call that was reported in flight, and then proves unsent, stays counted: the next call takes its place.
    const calls = Math.max(countedCalls, pacer.usage().calls)
    const isBusy = isBusyNow(nowMs)
    const blockedForMs =
      throttledUntilMs > knownThrottleMs ? Math.max(0, throttledUntilMs - nowMs) : 0
    const before = { atMs: nowMs, rate: JSON.stringify(rate), holds: heldCalls, isBusy }
    const usage = { member, place, calls, inWindow, isBusy, holds: heldCalls, rate }
    const monthly = { known: usedUntil(calls), ...monthClaim() }
    const answer = await ask({ ...usage, blockedForMs, isLeaving, ...monthly })
    knownThrottleMs = Math.max(knownThrottleMs, throttledUntilMs)
    lastReport = before
    countedCalls = calls
    if (isLeaving) noteMonth(answer.month)
    else applyLease(answer)
  }

  /** The month as this process knows it, with its own later calls. */
  function usedUntil(calls: number): MonthUse {
    return { ...monthUse, used: monthUse.used + calls - countedCalls }
  }

  function monthClaim(): Pick<BudgetReport, 'monthClaim'> {
    return month === undefined ? {} : { monthClaim: { ...month.limits, holds: monthHolds } }
  }

  function applyLease(answer: BudgetLease): void {
    const nowMs = clock.nowMs()
    month?.lease(answer.monthLease)
    monthHolds = answer.monthLease?.upTo.others ?? 0
    lease = answer
    heardAtMs = nowMs
    isLost = false
    pacer.lease(answer.share)
    heldCalls = answer.share === null ? null : answer.share.calls
    const untilMs = nowMs + answer.blockedForMs
    if (answer.blockedForMs > 0 && untilMs > pacer.usage().throttledUntilMs + NEWS_MS) {
      pacer.throttle(untilMs)
      // The budget knows this wait, so it is not reported back.
      knownThrottleMs = Math.max(knownThrottleMs, pacer.usage().throttledUntilMs)
    }
    noteMonth(answer.month)
  }

  function noteMonth(month: MonthUse): void {
    if (month.used === monthUse.used && month.startsAtMs === monthUse.startsAtMs) return
    monthUse = month
    onUsed(monthUse)
  }

  function isMonthAwaited(): boolean {
    return month !== undefined && month.waiting() > 0
  }

  function isBusyNow(nowMs: number): boolean {
    const { calls, waiting } = pacer.usage()
    if (waiting > 0 || isMonthAwaited() || calls !== lastCalls) busyAtMs = nowMs
    lastCalls = calls
    return nowMs - busyAtMs < BUSY_FOR_MS
  }

  function isDue(nowMs: number): boolean {
    const isBusy = isBusyNow(nowMs)
    if (lastReport === null) return true
    const { rate, throttledUntilMs, inWindow } = pacer.usage()
    if (JSON.stringify(rate) !== lastReport.rate || heldCalls !== lastReport.holds) return true
    if (throttledUntilMs > knownThrottleMs && throttledUntilMs > nowMs) return true
    const isOver = heldCalls !== null && inWindow > heldCalls
    const isWaiting = isBusy && (lease?.isShort === true || isOver || isMonthAwaited())
    return nowMs - lastReport.atMs >= (isWaiting ? REPORT_EVERY_SHORT_MS : REPORT_EVERY_MS)
  }

  /** Gives the share back. No call leaves until the next lease. */
  async function leave(): Promise<void> {
    isMember = false
    lastReport = null
    heldCalls = 0
    pacer.lease({ calls: 0, perMs: 1 })
    const { calls } = pacer.usage()
    const none = { backfill: calls, others: calls }
    month?.lease({ upTo: none, isLast: { backfill: false, others: false } })
    // If the report is lost, the share ends when this member expires.
    await report(true).catch(() => noteMonth(usedUntil(pacer.usage().calls)))
    lastReport = null
  }

  async function follow(): Promise<void> {
    while (!closing.signal.aborted) {
      const nowMs = clock.nowMs()
      const isBusy = isBusyNow(nowMs)
      if (!isMember && isBusy) {
        isMember = true
        heardAtMs = nowMs
      }
      if (isMember && !isBusy && lastReport !== null && !isLost) await leave()
      else if (isMember && isDue(nowMs)) {
        try {
          await report(false)
        } catch (error) {
          if (!isLost && clock.nowMs() - heardAtMs > LOST_AFTER_MS) {
            isLost = true
            heldCalls = null
            pacer.lease(null)
            const { calls } = pacer.usage()
            month?.lease(leaseAlone(usedUntil(calls), month.limits, calls))
            onLost(error)
          }
          await pause(REPORT_EVERY_SHORT_MS)
        }
      }
      await pause(LOOK_EVERY_MS)
    }
  }

  async function pause(ms: number): Promise<void> {
    await sleep(ms, closing.signal).catch(() => undefined)
  }

  const following = follow()
  return {
    async close() {
      closing.abort()
      await following
      // Before the report that the share is free, because no process would count a call that leaves after it.
      pacer.lease({ calls: 0, perMs: 1 })
      if (isMember) await leave()
    },
  }
}
