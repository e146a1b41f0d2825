import { createHash } from 'node:crypto'
import type { Slice } from '../datasets/dataset.ts'

/** A slice as the ledger holds it while a run works on it. */
export interface PlannedSlice extends Slice {
  sliceId: string
  /** Number of earlier loads. Pages of an earlier load do not answer a refetch. */
  generation: number
  /** Place in the run's plan, from 0. */
  ordinal: number
}

/** Name of a slice in stage and ledger: a hash of its six parts, 20 hex digits. */
export function sliceId(slice: Slice): string {
  const { dataset, entity, vsCurrency, granularity, fromMs, toMs } = slice
  const text = JSON.stringify([dataset, entity, vsCurrency, granularity, fromMs, toMs])
  return createHash('sha256').update(text).digest('hex').slice(0, 20)
}
