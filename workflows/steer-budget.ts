// Shares one key's budget among its processes. Pure: no clock, no I/O.
import { leaseMonth, unusedGrant } from './share-month.ts'
import type { MonthClaim, MonthLease, MonthMember, MonthUse } from './share-month.ts'

/** Calls permitted in a window. */
export interface WindowRate {
  calls: number
  perMs: number
}

/** The report of a process. Durations, not times, because clocks differ. */
export interface BudgetReport {
  /** Name of the process, unique for its life. */
  member: string
  /** The warehouse. Only one living process can have it open, so a new member of a place replaces a dead one. */
  place: string
  /** Calls since the start of the process, with refused and failed ones. */
  calls: number
  /** Calls already made that the source may still count in its current window. */
  inWindow: number
  /** Whether the process has calls to make. */
  isBusy: boolean
  /** The share that the process keeps to now; null = no bound. */
  holds: number | null
  /** The key's rate, if the process knows it; null = unknown. */
  rate: WindowRate | null
  /** The remaining wait of a new 429; 0 = no new 429. */
  blockedForMs: number
  /** Whether the process leaves. Its share is free once its last calls have left the window. */
  isLeaving: boolean
  /** The month's calls that the process knows, from its ledger or its last lease. The highest of all reports holds. */
  known: MonthUse
  /** The month's limits and the last grant; absent = the process counts no month. */
  monthClaim?: MonthClaim
}

/** The answer to a report: what a process may do until its next one. */
export interface BudgetLease {
  /** Its part of the window; null = no bound, because the rate is unknown. */
  share: WindowRate | null
  /** Whether the share is below the process's equal part. The process then reports again soon. */
  isShort: boolean
  blockedForMs: number
  month: MonthUse
  /** Its part of the rest of the month; null = no process knows a ceiling. */
  monthLease: MonthLease | null
}

interface Member extends MonthMember {
  place: string
  share: number | null
  holds: number | null
  inWindow: number
  rate: WindowRate | null
  expiresAtMs: number
}

/** The state of a key's budget: plain data. */
export interface BudgetState {
  rate: WindowRate | null
  blockedUntilMs: number
  members: Record<string, Member>
  /** Calls of processes that left or died, until they leave the window. */
  gone: { member: string; calls: number; untilMs: number }[]
  month: MonthUse
}

/** A process without a report for this long counts as dead. */
export const MEMBER_TTL_MS = 20_000
/** Most unreported calls of a process with an unknown rate. */
const MOST_UNREPORTED = 20
/** Interval of the reports of a busy process. */
export const REPORT_EVERY_MS = 2_000
/** A process on a busy machine may report this late. */
const LATEST_REPORT_MS = 1.5 * REPORT_EVERY_MS
/** Longest wait that a source can impose on us (api/imposed-waits.ts). */
export const MAX_BLOCK_MS = 15 * 60_000

export const emptyBudget: BudgetState = {
  rate: null,
  blockedUntilMs: 0,
  members: {},
  gone: [],
  month: { startsAtMs: 0, used: 0 },
}

type WindowLease = Omit<BudgetLease, 'monthLease'>

/** Counts a report, and gives its process a part of the window and of the month. */
export function steerBudget(
  before: BudgetState,
  report: BudgetReport,
  nowMs: number,
): { state: BudgetState; lease: BudgetLease } {
  const { state, lease } = steerWindow(before, report, nowMs)
  const member = state.members[report.member]
  const monthLease =
    member === undefined ? null : leaseMonth(state.month, state.members, report.member)
  if (member !== undefined) member.granted = monthLease?.upTo.others ?? 0
  return { state, lease: { ...lease, monthLease } }
}

/**
 * Gives a process its share of the window, but no more than is free. Of another process counts the largest of: the share
 * it keeps to, the share it was given, its calls in the window. So all shares together never exceed the window, even if
 * a report is late.
 */
function steerWindow(
  before: BudgetState,
  report: BudgetReport,
  nowMs: number,
): { state: BudgetState; lease: WindowLease } {
  const state = withoutExpired(before, nowMs)
  state.gone = state.gone.filter((one) => one.member !== report.member)
  dropPredecessor(state, report)
  countMonth(state, before, report, nowMs)
  const blockMs = Math.min(Math.max(0, report.blockedForMs), MAX_BLOCK_MS)
  if (blockMs > 0) state.blockedUntilMs = Math.max(state.blockedUntilMs, nowMs + blockMs)
  const { member: name, place, calls, inWindow, isBusy, holds, rate } = report
  if (report.isLeaving) {
    delete state.members[name]
    const untilMs = nowMs + (rate?.perMs ?? 0)
    state.gone.push({ member: name, calls: inWindow, untilMs })
    return { state, lease: leaseOf(state, { calls: 0, perMs: 1 }, false, nowMs) }
  }
  const expiresAtMs = nowMs + MEMBER_TTL_MS
  const share = before.members[name]?.share ?? holds
  const window = { place, share, holds, inWindow, isBusy, calls, rate, expiresAtMs }
  const granted = before.members[name]?.granted ?? 0
  const member: Member = { ...window, claim: report.monthClaim ?? null, granted }
  state.members[name] = member
  state.rate = slowestRate(Object.values(state.members).map((one) => one.rate)) ?? state.rate
  if (state.rate === null) return leaseWithoutRate(state, name, nowMs)
  const due = dueShare(state, name)
  member.share = Math.min(due, freeFor(state, name, state.rate.calls, nowMs))
  const leased = { calls: member.share, perMs: state.rate.perMs }
  return { state, lease: leaseOf(state, leased, member.share < due, nowMs) }
}

/**
 * While the rate is unknown, one process makes the first call. If the answer announces no rate, all processes are
 * unbounded. The choice stays with the first process, also when others join.
 */
function leaseWithoutRate(
  state: BudgetState,
  name: string,
  nowMs: number,
): { state: BudgetState; lease: WindowLease } {
  const others = Object.entries(state.members).filter(([other]) => other !== name)
  const isOtherAsking = others.some(([, { share, holds }]) => share === null || holds === null)
  // While the rate is unknown, a process waits for its first answer. So a second call proves an answer.
  const isAnswered = Object.values(state.members).some(({ calls }) => calls > 1)
  const mayAsk = isAnswered || (!isOtherAsking && busyNames(state)[0] === name)
  const member = state.members[name]!
  member.share = mayAsk ? null : 0
  const isShort = !mayAsk && member.isBusy
  return { state, lease: leaseOf(state, mayAsk ? null : { calls: 0, perMs: 1 }, isShort, nowMs) }
}

function leaseOf(
  state: BudgetState,
  share: WindowRate | null,
  isShort: boolean,
  nowMs: number,
): WindowLease {
  const blockedForMs = Math.max(0, state.blockedUntilMs - nowMs)
  return { share, isShort, blockedForMs, month: state.month }
}

/** The equal part of a busy process. The first by name get one call more where the calls do not divide. */
function dueShare({ rate, members }: BudgetState, name: string): number {
  const busy = busyNames({ members })
  const index = busy.indexOf(name)
  if (index < 0 || rate === null) return 0
  return Math.floor(rate.calls / busy.length) + (index < rate.calls % busy.length ? 1 : 0)
}

function freeFor(state: BudgetState, name: string, limit: number, nowMs: number): number {
  let free = limit
  for (const [other, { share, holds, inWindow }] of Object.entries(state.members)) {
    if (other !== name) free -= Math.max(share ?? limit, holds ?? limit, inWindow)
  }
  for (const { calls, untilMs } of state.gone) if (untilMs > nowMs) free -= calls
  return Math.max(0, free)
}

/** The state without dead members and past calls. A clock that was set back leaves no time too far ahead. */
function withoutExpired(before: BudgetState, nowMs: number): BudgetState {
  const goneWithinMs = MEMBER_TTL_MS + (before.rate?.perMs ?? 0)
  const state: BudgetState = {
    ...before,
    members: {},
    gone: before.gone
      .filter(({ untilMs }) => untilMs > nowMs)
      .map((one) => ({ ...one, untilMs: Math.min(one.untilMs, nowMs + goneWithinMs) })),
    month: { ...before.month },
    blockedUntilMs: Math.min(before.blockedUntilMs, nowMs + MAX_BLOCK_MS),
  }
  for (const [name, member] of Object.entries(before.members)) {
    if (member.expiresAtMs > nowMs) {
      const expiresAtMs = Math.min(member.expiresAtMs, nowMs + MEMBER_TTL_MS)
      state.members[name] = { ...member, expiresAtMs }
    } else {
      state.month.used += unreportedCalls(member)
      const untilMs = member.expiresAtMs + (before.rate?.perMs ?? 0)
      if (untilMs > nowMs) state.gone.push({ member: name, calls: mostInWindow(member), untilMs })
    }
  }
  return state
}

/** Ends the member of a killed process in the same place. Its successor then does not wait for its share. */
function dropPredecessor(state: BudgetState, { member, place }: BudgetReport): void {
  for (const [name, former] of Object.entries(state.members)) {
    if (name === member || former.place !== place) continue
    const reportedAtMs = former.expiresAtMs - MEMBER_TTL_MS
    const perMs = state.rate?.perMs ?? 0
    state.month.used += unreportedCalls(former)
    const untilMs = reportedAtMs + LATEST_REPORT_MS + perMs
    const calls = Math.min(former.inWindow + mostSinceReport(former), mostInWindow(former))
    state.gone.push({ member: name, calls, untilMs })
    delete state.members[name]
  }
}

/** Most calls of a process in one window. */
function mostInWindow({ share, holds, inWindow }: Member): number {
  return Math.max(share ?? 0, holds ?? 0, inWindow)
}

/** Calls of a process after its last report, at its rate. */
function mostSinceReport({ rate }: Member): number {
  if (rate === null) return MOST_UNREPORTED
  return Math.ceil((LATEST_REPORT_MS * rate.calls) / rate.perMs)
}

/** Calls of the month that a dead process may have made after its last report; at most its unused grant. */
function unreportedCalls(member: Member): number {
  return Math.min(unusedGrant(member), mostSinceReport(member))
}

function countMonth(
  state: BudgetState,
  before: BudgetState,
  report: BudgetReport,
  nowMs: number,
): void {
  const now = new Date(nowMs)
  const startsAtMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)
  if (state.month.startsAtMs !== startsAtMs) state.month = { startsAtMs, used: 0 }
  const known = before.members[report.member]
  // A process that is new to this state reports its earlier calls by `known`.
  const more = known === undefined ? 0 : Math.max(0, report.calls - known.calls)
  // A count from before the turn of the month belongs to the past month.
  const reportedUsed = report.known.startsAtMs === startsAtMs ? report.known.used : 0
  state.month.used = Math.max(state.month.used + more, reportedUsed)
}

function busyNames({ members }: Pick<BudgetState, 'members'>): string[] {
  return Object.keys(members)
    .filter((name) => members[name]!.isBusy)
    .sort()
}

function slowestRate(rates: readonly (WindowRate | null)[]): WindowRate | null {
  return rates.reduce(
    (slow, one) =>
      slow === null || (one !== null && one.perMs / one.calls > slow.perMs / slow.calls)
        ? one
        : slow,
    null,
  )
}
