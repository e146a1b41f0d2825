import type { PlannedSlice } from '../../plan/planned-slice.ts'
import type { LoadDeps } from '../activity-deps.ts'
import type { NextSlicesInput, NextSlicesResult } from '../activity-types.ts'

/** About 250 slices of one coin, fewer of slices with a hundred ids each. */
const MAX_LOOK_CHARS = 64_000

/** The next planned slices of a run, as many as fit into a few kB, at least one. */
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
