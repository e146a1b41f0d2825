// Shares one key's month among its processes. Pure: no clock, no I/O.

/** Calls of a UTC month under one key. */
export interface MonthUse {
  startsAtMs: number
  used: number
}

/** The knowledge of a process of its key's month: the limits, and its last grant. */
export interface MonthClaim {
  /** Most calls of the month; null = unknown. */
  ceiling: number | null
  /** Calls of the ceiling reserved from backfills. */
  reserve: number
  /** Last grant known to the process: most calls since its start. */
  holds: number
}

/** Most calls of a process since its start, until its next report: of backfills, and of other runs. */
export interface MonthLease {
  upTo: { backfill: number; others: number }
  /** Whether the month has no more calls to grant. */
  isLast: { backfill: boolean; others: boolean }
}

export interface MonthMember {
  calls: number
  isBusy: boolean
  claim: MonthClaim | null
  /** The last grant, even if the process has not received it. */
  granted: number
}

/** Enough calls for the longest time between two reports, at the highest rate of any plan. */
const MOST_GRANTED = 500

/**
 * Grants one process its part of the month.
 *
 * - All calls together never exceed the ceiling: unused grants of other processes stay theirs, even if a report is late.
 * - Idle processes get nothing. A scarce rest is shared equally.
 * - Backfills leave the reserve to other runs. A granted call stays granted until the next report.
 *
 * @returns null when no process knows a ceiling.
 */
export function leaseMonth(
  { used }: MonthUse,
  members: Readonly<Record<string, MonthMember>>,
  name: string,
): MonthLease | null {
  const all = Object.values(members)
  const ceiling = Math.min(...all.map(({ claim }) => claim?.ceiling ?? Infinity))
  if (ceiling === Infinity) return null
  const reserve = Math.max(...all.map(({ claim }) => claim?.reserve ?? 0))
  const own = members[name]!
  let held = 0
  for (const [other, member] of Object.entries(members)) {
    if (other !== name) held += unusedGrant(member)
  }
  const left = (limit: number): number => Math.max(0, limit - used - held)
  const sharers = Math.max(1, all.filter(({ isBusy }) => isBusy).length)
  const due = Math.min(MOST_GRANTED, Math.ceil(left(ceiling) / sharers))
  const granted = own.isBusy ? due : 0
  const forBackfill = Math.min(granted, left(ceiling - reserve))
  return {
    upTo: { backfill: own.calls + forBackfill, others: own.calls + granted },
    isLast: { backfill: used >= ceiling - reserve, others: used >= ceiling },
  }
}

/** Granted calls that a process has not yet reported as made. */
export function unusedGrant({ calls, claim, granted }: MonthMember): number {
  return Math.max(0, Math.max(granted, claim?.holds ?? 0) - calls)
}

/** The lease that a process gives itself while the budget is unreachable: all calls that it knows to remain. */
export function leaseWithoutBudget(
  { used }: MonthUse,
  { ceiling, reserve }: Pick<MonthClaim, 'ceiling' | 'reserve'>,
  calls: number,
): MonthLease | null {
  if (ceiling === null) return null
  const upTo = (limit: number): number => calls + Math.max(0, limit - used)
  return {
    upTo: { backfill: upTo(ceiling - reserve), others: upTo(ceiling) },
    isLast: { backfill: true, others: true },
  }
}
