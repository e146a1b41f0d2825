import { bucketDatasets } from '../../datasets/request/buckets.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import { seriesKey } from '../../plan/covered.ts'
import type { KeptSlice } from '../../stage/kept-slices.ts'

const MOST_SLICES = 200

/**
 * Cuts kept slices, the oldest answer first, into runs, and runs into loads. No run has a slice twice. No load has
 * two answers to one stretch, because the newer of two equal keys would win without a trace. So provisional rows,
 * first-seen times and revisions are as if each answer had been loaded when it came.
 */
export function cutIntoRuns(
  kept: readonly KeptSlice[],
  datasets: readonly Dataset[],
): KeptSlice[][][] {
  const ofBuckets = bucketDatasets(datasets)
  const runs: KeptSlice[][][] = []
  let planned = new Set<string>()
  let open = new Map<string, KeptSlice[]>()
  for (const one of kept) {
    const isBucket = ofBuckets.has(one.slice.dataset)
    const key = isBucket ? one.slice.dataset : seriesKey(one.slice)
    const collides = (open.get(key) ?? []).some((other) =>
      isBucket ? other.slice.fromMs !== one.slice.fromMs : overlap(other, one),
    )
    const loads = runs.at(-1)
    const load = loads?.at(-1)
    if (loads === undefined || load === undefined || planned.has(one.sliceId)) {
      runs.push([[one]])
      planned = new Set()
      open = new Map()
    } else if (collides || load.length === MOST_SLICES) {
      loads.push([one])
      open = new Map()
    } else {
      load.push(one)
    }
    planned.add(one.sliceId)
    open.set(key, [...(open.get(key) ?? []), one])
  }
  return runs
}

function overlap({ slice: a }: KeptSlice, { slice: b }: KeptSlice): boolean {
  return a.fromMs < b.toMs && b.fromMs < a.toMs
}
