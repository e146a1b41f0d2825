/** The reason of a run: a schedule, a request by hand, or a backfill of missing history. */
export type RunKind = 'sync' | 'by_hand' | 'backfill'

/** The rank of a run among runs on the same key. */
export interface RunRank {
  /** Temporal's priority key, 1 to 5. Batches with lower numbers leave the fetch queue first. */
  priorityKey: 1 | 3 | 5
  /** Whether the run may spend the monthly reserve (`source.monthly_reserve`). */
  mayUseReserve: boolean
}

export const RANKS: Readonly<Record<RunKind, RunRank>> = {
  sync: { priorityKey: 1, mayUseReserve: true },
  by_hand: { priorityKey: 3, mayUseReserve: true },
  backfill: { priorityKey: 5, mayUseReserve: false },
}
