import type { Slice } from '../datasets/dataset.ts'

/** A slice as the ledger holds it while a run works on it. */
export interface PlannedSlice extends Slice {
  /** hash of the slice's six parts, 20 hex digits (plan/slice-id.ts). */
  sliceId: string
  /** How many times this very slice was loaded before: a refetch on purpose never meets the old stage. */
  generation: number
  /** Place in the run's plan, from 0. */
  ordinal: number
}
