import type { Difference } from '../../sinks/verify/verify-source.ts'
import type { Repaired } from './repair-warehouse.ts'

/** The findings of a verification. */
export interface Verification {
  differences: Difference[]
  /** The places that were looked at. */
  places: Difference['place'][]
  /** Those of them that were not compared with all that was loaded; a note says why. */
  partly: Difference['place'][]
  /** Places that were not checked, or not new enough to be compared: one sentence each. */
  notes: string[]
  /** Another process holds the store: it was not looked at. */
  isStoreHeld: boolean
  /** null when nothing was to be repaired. */
  repaired: Repaired | null
}
