/** Why a run fetches: on a schedule, because somebody asked for a stretch, or to fill what is missing. */
export type RunKind = 'sync' | 'by_hand' | 'backfill'

/** What a kind of run is worth beside others that spend the same key. */
interface RunRank {
  /** Temporal's priority key: batches with lower numbers leave the fetch queue first, 1 to 5. */
  priorityKey: 1 | 3 | 5
  /** Whether it may use the calls of a month that are kept back (`source.monthly_reserve`). */
  mayUseReserve: boolean
}

const RANKS: Readonly<Record<RunKind, RunRank>> = {
  sync: { priorityKey: 1, mayUseReserve: true },
  by_hand: { priorityKey: 3, mayUseReserve: true },
  backfill: { priorityKey: 5, mayUseReserve: false },
}

/** The one place that says which run goes first, and which may use the reserve of the month. */
export function rankOf(kind: RunKind): RunRank {
  return RANKS[kind]
}
