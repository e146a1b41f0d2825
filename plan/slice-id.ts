import { createHash } from 'node:crypto'
import type { Slice } from '../datasets/dataset.ts'

/** Name of a slice in the stage and the ledger: the first 20 hex digits of a SHA-256 over its six parts. */
export function sliceId(slice: Slice): string {
  const parts = [
    slice.dataset,
    slice.entity,
    slice.vsCurrency,
    slice.granularity,
    slice.fromMs,
    slice.toMs,
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 20)
}
