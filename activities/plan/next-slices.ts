import type { PlannedSlice } from '../../plan/planned-slice.ts'
import type { LoadDeps } from '../activity-deps.ts'
import type { NextSlicesInput, NextSlicesResult } from '../activity-types.ts'

/** About 250 slices of one coin; slices that carry a hundred coin ids are cut sooner. */
const MAX_LOOK_CHARS = 64_000

/** The next planned slices of a run, as many as an answer of a few kB holds, but at least one. */
export async function nextSlices(
  deps: Pick<LoadDeps, 'store'>,
  input: NextSlicesInput,
): Promise<NextSlicesResult> {
  const found = await deps.store.nextSlices(input)
  const slices: PlannedSlice[] = []
  let chars = 0
  for (const slice of found) {
    chars += JSON.stringify(slice).length
    if (slices.length > 0 && chars > MAX_LOOK_CHARS) break
    slices.push(slice)
  }
  return { slices, isEnd: slices.length === found.length && found.length < input.limit }
}
