// How the month of one key is shared by the processes that spend it. Pure: no timers, no clock, no I/O.

/** Calls of a UTC month under one key. */
export interface MonthUse {
  startsAtMs: number
  used: number
}

/** What a process knows of its key's month, and what it was granted of it. */
export interface MonthClaim {
  /** Calls that the month may hold; null = no ceiling is known. */
  ceiling: number | null
  /** Of them, kept for runs that are not backfills. */
  reserve: number
  /** How many calls in its life it holds for granted. */
  holds: number
}

/** What a process may ask until it reports again: calls in its life, for backfills and for all else. */
export interface MonthLease {
  upTo: { backfill: number; others: number }
  /** Nothing more will be granted in this month. */
  isLast: { backfill: boolean; others: boolean }
}

/** A process, as far as the month has to do with it. */
export interface MonthMember {
  calls: number
  isBusy: boolean
  claim: MonthClaim | null
  /** What it was granted last. It may not have heard of it yet. */
  granted: number
}

/** Enough for the longest time between two reports at any rate that is known of plans. */
const MOST_GRANTED = 500

/**
 * The part of the month for one process. What others were granted and have not used is theirs, also
 * when a word is late, so that all calls together never exceed the ceiling. Who has no calls to make
 * is granted none; the rest is shared equally when it becomes scarce. All backfills together never
 * make more calls than the month has without its reserve. What they were granted stays theirs until
 * their next report, also when others use the rest and the reserve meanwhile.
 *
 * @returns null when nobody knows a ceiling.
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
    if (other !== name) held += unusedOf(member)
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

/** Calls that a process was granted and has not been heard to make. */
export function unusedOf({ calls, claim, granted }: MonthMember): number {
  return Math.max(0, Math.max(granted, claim?.holds ?? 0) - calls)
}

/** What a process may ask that cannot reach the others: all that it knows to be left. */
export function leaseAlone(
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
