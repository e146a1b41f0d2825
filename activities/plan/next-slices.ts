import type { PlannedSlice } from '../../plan/planned-slice.ts'
import type { StoreDeps } from '../activity-deps.ts'
import type { NextSlicesInput, NextSlicesResult } from '../activity-types.ts'

/** Enough for about 250 slices of one coin; fewer slices fit when each has a hundred ids. */
const MAX_LOOK_CHARS = 64_000

/** The next planned slices of a run: at most 64,000 characters, but at least one slice. */
export async function nextSlices(
  deps: Pick<StoreDeps, 'store'>,
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
