import { difference, type Difference } from '../../sinks/verify/verify-source.ts'
import type { Repaired } from './repair-warehouse.ts'

export interface Verification {
  differences: Difference[]
  places: Difference['place'][]
  /** Checked places that were compared only in part; a note has the reason. */
  partly: Difference['place'][]
  /** One sentence for each place that was not checked, or is older than the ledger. */
  notes: string[]
  /** Whether the store is shut, and was not checked: another process holds it, or its disk is read-only. */
  isStoreHeld: boolean
  /** null = nothing needed a repair. */
  repaired: Repaired | null
}

/** A file that is missing, or differs from its expected state. */
export function fileDifference(
  place: Difference['place'],
  what: string,
  expected: string,
  found: string,
): Difference {
  return difference({ place }, { check: 'file', what, expected, found })
}
