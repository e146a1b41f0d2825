import type { Slice } from '../datasets/dataset.ts'

/** A slice as the ledger holds it while a run works on it. */
export interface PlannedSlice extends Slice {
  /** hash of the slice's six parts, 20 hex digits (plan/slice-id.ts). */
  sliceId: string
  /** Earlier loads of this slice: a refetch must not be answered by the old stage. */
  generation: number
  /** Place in the run's plan, from 0. */
  ordinal: number
}
