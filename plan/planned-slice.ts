import type { Slice } from '../datasets/dataset.ts'

/** A slice as the ledger holds it while a run works on it. */
export interface PlannedSlice extends Slice {
  /** Hash of the slice's six parts, 20 hex digits (plan/slice-id.ts). */
  sliceId: string
  /** Number of earlier loads, so that pages of an earlier load do not answer a refetch. */
  generation: number
  /** Place in the run's plan, from 0. */
  ordinal: number
}
