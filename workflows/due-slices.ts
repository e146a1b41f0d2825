import type { BatchSlice } from '../activities/activity-types.ts'

/** Slices of the first batches. A slow or blocked source finishes no more in a batch's time. */
const FIRST_BATCH = 16
const SMALLEST_BATCH = 4
const LARGEST_BATCH = 32

/** A slice that waits for a batch. */
export interface DueSlice {
  slice: BatchSlice
  /** Earliest time of its next request, epoch ms; 0 = at once. */
  notBeforeMs: number
  /** Its last batch lost its worker, so it gets a batch of its own. */
  isAlone: boolean
}

/** The slices of a run that wait for a batch, and the size of the next batch. */
export function dueSlices() {
  const due: DueSlice[] = []
  let batchSize = FIRST_BATCH

  return {
    count: (): number => due.length,
    /** Epoch ms; Infinity = no slice waits. */
    earliestMs: (): number => Math.min(...due.map(({ notBeforeMs }) => notBeforeMs)),
    /** Adds slices of the plan behind all others. */
    addPlanned(slices: readonly BatchSlice[]): void {
      due.push(...slices.map((slice) => ({ slice, notBeforeMs: 0, isAlone: false })))
    },
    /**
     * Takes the first slices that may be fetched now.
     *
     * @param batches the number of batches over which the last slices are spread, so that these end together; null = the
     *   plan has more slices
     */
    takeBatch(batches: number | null): DueSlice[] {
      const nowMs = Date.now()
      const batch: DueSlice[] = []
      const share = batches === null ? batchSize : Math.ceil(due.length / batches)
      const size = Math.min(batchSize, Math.max(SMALLEST_BATCH, share))
      for (let place = 0; place < due.length && batch.length < size;) {
        const next = due[place]!
        if (next.notBeforeMs > nowMs) {
          place += 1
          continue
        }
        if (next.isAlone && batch.length > 0) break
        batch.push(next)
        due.splice(place, 1)
        if (next.isAlone) break
      }
      return batch
    },
    /** Puts slices in front of all others. */
    putBack: (slices: readonly DueSlice[]): void => void due.unshift(...slices),
    /**
     * Puts the slices that a batch left in front, the longest listing first: a listing must not wait until it is too old
     * to continue. The next batch has as many slices as this one ended, or up to twice as many when it left none.
     */
    putBackLeft(left: readonly DueSlice[], ended: number): void {
      const pagesOf = ({ slice }: DueSlice): number => slice.begun?.pages ?? 0
      due.unshift(...left.toSorted((a, b) => pagesOf(b) - pagesOf(a)))
      batchSize =
        left.length === 0
          ? Math.min(LARGEST_BATCH, Math.max(batchSize, 2 * ended))
          : Math.max(SMALLEST_BATCH, ended)
    },
  }
}
