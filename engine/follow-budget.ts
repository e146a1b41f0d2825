import { setTimeout as sleepMs } from 'node:timers/promises'
import { REPORT_EVERY_MS } from '../workflows/steer-budget.ts'
import { leaseWithoutBudget } from '../workflows/share-month.ts'
import type { MonthClaim, MonthLease, MonthUse } from '../workflows/share-month.ts'
import type { BudgetLease, BudgetReport, WindowRate } from '../workflows/steer-budget.ts'
import { type Clock, systemClock } from '../config/clock.ts'

/** The pacer of this process, as the link to the budget uses it. */
export interface SharedPacer {
  usage(): {
    calls: number
    waiting: number
    inWindow: number
    rate: WindowRate | null
    throttledUntilMs: number
  }
  setLease(rate: WindowRate | null): void
  throttle(untilMs: number): void
}

/** The gate that keeps this process within the month of its key. */
export interface SharedMonth {
  /** The configured limits. */
  limits: Pick<MonthClaim, 'ceiling' | 'reserve'>
  setLease(lease: MonthLease | null): void
  /** Count of calls that wait for a lease. */
  waiting(): number
}

export interface FollowBudgetOptions extends Pick<BudgetReport, 'member' | 'place'> {
  pacer: SharedPacer
  /** Absent: this process counts no month. */
  month?: SharedMonth
  /** The month's calls that the ledger of this process counts. */
  monthUse: MonthUse
  /** Called when the month's count has changed. */
  onUsed: (month: MonthUse) => void
  /** Called once each time the budget is lost; this process then keeps the rate alone. */
  onLost: (error: unknown) => void
  /** Sends a report to the budget; rejects when the budget cannot be reached. */
  ask: (report: BudgetReport) => Promise<BudgetLease>
  /** Default: the real clock and its timers. */
  clock?: Clock
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

export type BudgetLink = ReturnType<typeof followBudget>

/** Time between two checks whether a report is due. */
const CHECK_EVERY_MS = 25
/** A wait from the budget counts as new when it is longer than the known wait by this much. */
const LONGER_BY_MS = 500
/** Time between reports of a process that waits for calls; other processes may give some back soon. */
const REPORT_EVERY_SHORT_MS = 500
/** A process without a call for this long counts as idle. */
const BUSY_FOR_MS = 4_000
/** A process without an answer of the budget for this long keeps the rate alone. */
const LOST_AFTER_MS = 30_000
const NO_CALLS: WindowRate = { calls: 0, perMs: 1 }

const realSleep = (ms: number, signal: AbortSignal): Promise<void> =>
  sleepMs(ms, undefined, { signal })

/**
 * Keeps the pacer of this process to the share that the budget of its key leases. No call leaves before the first
 * lease. Rates and waits of the source are reported at once. A process joins the budget with its first call, and leaves
 * when it is idle.
 */
export function followBudget(options: FollowBudgetOptions) {
  const { member, place, pacer, month, onUsed, onLost, ask } = options
  const { clock = systemClock, sleep = realSleep } = options
  let heldCalls: number | null = 0
  let lastReport: { atMs: number; rate: string; holds: number | null } | null = null
  let lease: BudgetLease | null = null
  let answeredAtMs = clock.nowMs()
  let lastBusyAtMs = -Infinity
  let lastCalls = 0
  let knownWaitUntilMs = 0
  let isLost = false
  let isMember = false
  let { monthUse } = options
  /** Calls of this process that are part of `monthUse`. */
  let countedCalls = 0
  let monthHolds = 0
  const closing = new AbortController()
  pacer.setLease(NO_CALLS)

  async function report(isLeaving: boolean): Promise<void> {
    const nowMs = clock.nowMs()
    const { inWindow, rate, throttledUntilMs } = pacer.usage()
    // The pacer's count falls when a call in flight is not sent. The reported count never falls.
    const calls = Math.max(countedCalls, pacer.usage().calls)
    const isBusy = isBusyNow(nowMs)
    const blockedForMs =
      throttledUntilMs > knownWaitUntilMs ? Math.max(0, throttledUntilMs - nowMs) : 0
    const reported = { atMs: nowMs, rate: JSON.stringify(rate), holds: heldCalls }
    const usage = { member, place, calls, inWindow, isBusy, holds: heldCalls, rate }
    const known = monthUseAt(calls)
    const claim = month && { monthClaim: { ...month.limits, holds: monthHolds } }
    const answer = await ask({ ...usage, known, blockedForMs, isLeaving, ...claim })
    knownWaitUntilMs = Math.max(knownWaitUntilMs, throttledUntilMs)
    lastReport = reported
    countedCalls = calls
    if (isLeaving) noteMonth(answer.month)
    else applyLease(answer)
  }

  /** The month's calls, with those of this process up to its count `calls`. */
  function monthUseAt(calls: number): MonthUse {
    return { ...monthUse, used: monthUse.used + calls - countedCalls }
  }

  function applyLease(answer: BudgetLease): void {
    const nowMs = clock.nowMs()
    month?.setLease(answer.monthLease)
    monthHolds = answer.monthLease?.upTo.others ?? 0
    lease = answer
    answeredAtMs = nowMs
    isLost = false
    pacer.setLease(answer.share)
    heldCalls = answer.share?.calls ?? null
    const untilMs = nowMs + answer.blockedForMs
    if (answer.blockedForMs > 0 && untilMs > pacer.usage().throttledUntilMs + LONGER_BY_MS) {
      pacer.throttle(untilMs)
      // The budget sent this wait, so the process does not report it back.
      knownWaitUntilMs = Math.max(knownWaitUntilMs, pacer.usage().throttledUntilMs)
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
    if (waiting > 0 || isMonthAwaited() || calls !== lastCalls) lastBusyAtMs = nowMs
    // After a clock was set back, times in the future would hold reports up.
    lastBusyAtMs = Math.min(lastBusyAtMs, nowMs)
    answeredAtMs = Math.min(answeredAtMs, nowMs)
    if (lastReport !== null) lastReport.atMs = Math.min(lastReport.atMs, nowMs)
    lastCalls = calls
    return nowMs - lastBusyAtMs < BUSY_FOR_MS
  }

  function isDue(nowMs: number): boolean {
    const isBusy = isBusyNow(nowMs)
    if (lastReport === null) return true
    const { rate, throttledUntilMs, inWindow } = pacer.usage()
    if (JSON.stringify(rate) !== lastReport.rate || heldCalls !== lastReport.holds) return true
    if (throttledUntilMs > knownWaitUntilMs && throttledUntilMs > nowMs) return true
    const isOverShare = heldCalls !== null && inWindow > heldCalls
    const isWaiting = isBusy && (lease?.isShort === true || isOverShare || isMonthAwaited())
    return nowMs - lastReport.atMs >= (isWaiting ? REPORT_EVERY_SHORT_MS : REPORT_EVERY_MS)
  }

  /** Gives the share back. No call leaves until the next lease. */
  async function leave(): Promise<void> {
    isMember = false
    lastReport = null
    heldCalls = 0
    pacer.setLease(NO_CALLS)
    const { calls } = pacer.usage()
    month?.setLease({
      upTo: { backfill: calls, others: calls },
      isLast: { backfill: false, others: false },
    })
    // If this report is lost, the budget frees the share when the membership expires.
    await report(true).catch(() => noteMonth(monthUseAt(pacer.usage().calls)))
    lastReport = null
  }

  async function follow(): Promise<void> {
    while (!closing.signal.aborted) {
      const nowMs = clock.nowMs()
      const isBusy = isBusyNow(nowMs)
      if (!isMember && isBusy) {
        isMember = true
        answeredAtMs = nowMs
      }
      if (isMember && !isBusy && lastReport !== null && !isLost) await leave()
      else if (isMember && isDue(nowMs)) {
        try {
          await report(false)
        } catch (error) {
          if (!isLost && clock.nowMs() - answeredAtMs > LOST_AFTER_MS) {
            isLost = true
            heldCalls = null
            pacer.setLease(null)
            const { calls } = pacer.usage()
            month?.setLease(leaseWithoutBudget(monthUseAt(calls), month.limits, calls))
            onLost(error)
          }
          await pause(REPORT_EVERY_SHORT_MS)
        }
      }
      await pause(CHECK_EVERY_MS)
    }
  }

  async function pause(ms: number): Promise<void> {
    await sleep(ms, closing.signal).catch(() => undefined)
  }

  const following = follow()
  return {
    /** Gives the share back, and ends the link. */
    async close(): Promise<void> {
      closing.abort()
      await following
      // Before the last report, because the budget would not count a call that leaves after it.
      pacer.setLease(NO_CALLS)
      if (isMember) await leave()
    },
  }
}
