// Shares one key's budget among its processes. Pure: no timers, no clock, no I/O.
import { leaseMonth, unusedOf } from './share-month.ts'
import type { MonthClaim, MonthLease, MonthUse } from './share-month.ts'

/** Calls permitted in a window. */
export interface WindowRate {
  calls: number
  perMs: number
}

/** The report of a process, with durations instead of times, because clocks differ. */
export interface BudgetReport {
  /** Name of the process, unique for its life. */
  member: string
  /** The warehouse. Only one living process can hold it, so a new member with the same place replaces a dead one. */
  place: string
  /** Calls since the start of the process, with refused and failed ones. */
  calls: number
  /** Calls that may still count in the running window. */
  inWindow: number
  /** Whether the process has calls to make. */
  isBusy: boolean
  /** The share that the process keeps now; null = no bound. */
  holds: number | null
  /** The key's rate as the process knows it; null = unknown. */
  rate: WindowRate | null
  /** The remaining wait of a new 429; 0 = no new 429. */
  blockedForMs: number
  /** Whether the process ends; its share is free once its last calls have left the window. */
  isLeaving: boolean
  /**
   * The month's calls as the process knows them, from its warehouse or its last lease; the highest count of all
   * processes is valid.
   */
  known: MonthUse
  /** The process's claim on the month; absent = the process knows no ceiling. */
  monthClaim?: MonthClaim
}

/** The rights of a process until its next report. */
export interface BudgetLease {
  /** Its part of the window; null = no bound, because no process knows the rate. */
  share: WindowRate | null
  /** Whether the share is below the process's due, so that the process should report again soon. */
  isShort: boolean
  blockedForMs: number
  month: MonthUse
  /** Its part of the rest of the month; null = no process knows a ceiling. */
  monthLease: MonthLease | null
}

interface Member {
  place: string
  share: number | null
  holds: number | null
  inWindow: number
  isBusy: boolean
  calls: number
  rate: WindowRate | null
  expiresAtMs: number
  claim: MonthClaim | null
  /** The last grant of the month: most calls since the start of the process. */
  granted: number
}

/** The state of a key's budget: plain data, passed from one run of the workflow to the next. */
export interface BudgetState {
  rate: WindowRate | null
  blockedUntilMs: number
  members: Record<string, Member>
  /** Calls of vanished processes, until they leave the window or the process reports again. */
  gone: { member: string; calls: number; untilMs: number }[]
  month: MonthUse
}

/** A process without a report for this long counts as gone. */
export const MEMBER_TTL_MS = 20_000
/** Most unreported calls of a process that has no known rate. */
const MOST_UNHEARD = 20
/** Interval of the reports of a busy process. */
export const REPORT_EVERY_MS = 2_000
/** Longest wait that a source can impose on us (api/block-times.ts). */
export const MAX_BLOCK_MS = 15 * 60_000

export const newBudget: BudgetState = {
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
 * Gives no share before it is free. Each other process counts with the largest of its kept share, its given share and
 * its calls in the running window, so that all shares together never exceed the window, even while they change or a
 * report is late.
 */
function steerWindow(
  before: BudgetState,
  report: BudgetReport,
  nowMs: number,
): { state: BudgetState; lease: WindowLease } {
  const state = withoutExpired(before, nowMs)
  state.gone = state.gone.filter((one) => one.member !== report.member)
  endFormer(state, report)
  countMonth(state, before, report, nowMs)
  const blockMs = Math.min(Math.max(0, report.blockedForMs), MAX_BLOCK_MS)
  if (blockMs > 0) state.blockedUntilMs = Math.max(state.blockedUntilMs, nowMs + blockMs)
  if (report.isLeaving) {
    delete state.members[report.member]
    const { member: name, inWindow: spent } = report
    const untilMs = nowMs + (report.rate?.perMs ?? 0)
    state.gone.push({ member: name, calls: spent, untilMs })
    return { state, lease: leaseOf(state, { calls: 0, perMs: 1 }, false, nowMs) }
  }
  const { place, calls, inWindow, isBusy, holds, rate } = report
  const expiresAtMs = nowMs + MEMBER_TTL_MS
  const share = before.members[report.member]?.share ?? holds
  const window = { place, share, holds, inWindow, isBusy, calls, rate, expiresAtMs }
  const granted = before.members[report.member]?.granted ?? 0
  const member: Member = { ...window, claim: report.monthClaim ?? null, granted }
  state.members[report.member] = member
  state.rate = slowest(Object.values(state.members).map((one) => one.rate)) ?? state.rate
  if (state.rate === null) return unknownRate(state, report.member, nowMs)
  const due = dueShare(state, report.member)
  member.share = Math.min(due, freeFor(state, report.member, state.rate.calls, nowMs))
  const leased = { calls: member.share, perMs: state.rate.perMs }
  return { state, lease: leaseOf(state, leased, member.share < due, nowMs) }
}

/**
 * With an unknown rate one process asks first; when its answer announces no rate, all are unbounded. The first
 * process stays the first, even when a process joins whose name sorts before its own.
 */
function unknownRate(
  state: BudgetState,
  name: string,
  nowMs: number,
): { state: BudgetState; lease: WindowLease } {
  const others = Object.entries(state.members).filter(([other]) => other !== name)
  const isAskedFor = others.some(([, { share, holds }]) => share === null || holds === null)
  // With an unknown rate the second call leaves after the first answer, so a second call proves an answer.
  const isAnswered = Object.values(state.members).some(({ calls }) => calls > 1)
  const mayAsk = isAnswered || (!isAskedFor && busyNames(state)[0] === name)
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

/** The due share of a busy process: equal parts, of which the first by name get one call more. */
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

function withoutExpired(before: BudgetState, nowMs: number): BudgetState {
  const state: BudgetState = {
    ...before,
    members: {},
    gone: before.gone.filter(({ untilMs }) => untilMs > nowMs),
    month: { ...before.month },
  }
  for (const [name, member] of Object.entries(before.members)) {
    if (member.expiresAtMs > nowMs) {
      state.members[name] = { ...member }
    } else {
      const calls = Math.max(member.share ?? 0, member.holds ?? 0, member.inWindow)
      state.month.used += unheardCalls(member)
      const untilMs = member.expiresAtMs + (before.rate?.perMs ?? 0)
      if (untilMs > nowMs) state.gone.push({ member: name, calls, untilMs })
    }
  }
  return state
}

/** Ends the member of a killed process, so that its successor does not wait for its share. */
function endFormer(state: BudgetState, { member, place }: BudgetReport): void {
  for (const [name, former] of Object.entries(state.members)) {
    if (name === member || former.place !== place) continue
    const reportedAtMs = former.expiresAtMs - MEMBER_TTL_MS
    const perMs = state.rate?.perMs ?? 0
    state.month.used += unheardCalls(former)
    const untilMs = reportedAtMs + REPORT_EVERY_MS + perMs
    state.gone.push({ member: name, calls: former.inWindow, untilMs })
    delete state.members[name]
  }
}

/** Calls of the month that a process may have made after its last report, at most its unused grant. */
function unheardCalls(member: Member): number {
  const perMs = member.rate === null ? 0 : member.rate.calls / member.rate.perMs
  const most = member.rate === null ? MOST_UNHEARD : Math.ceil(REPORT_EVERY_MS * 1.5 * perMs)
  return Math.min(unusedOf(member), most)
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
  // A process that is new here (also after the loss of this state) reports its earlier calls by `known`.
  const more = known === undefined ? 0 : Math.max(0, report.calls - known.calls)
  // A count from before the turn of the month belongs to the past month.
  const toldUsed = report.known.startsAtMs === startsAtMs ? report.known.used : 0
  state.month.used = Math.max(state.month.used + more, toldUsed)
}

function busyNames({ members }: Pick<BudgetState, 'members'>): string[] {
  return Object.keys(members)
    .filter((name) => members[name]!.isBusy)
    .sort()
}

function slowest(rates: readonly (WindowRate | null)[]): WindowRate | null {
  return rates.reduce(
    (slow, one) =>
      slow === null || (one !== null && one.perMs / one.calls > slow.perMs / slow.calls)
        ? one
        : slow,
    null,
  )
}
