import type { PlannedSlice } from '../../plan/planned-slice.ts'
import type { StoreDeps } from '../activity-deps.ts'
import type { NextSlicesInput, NextSlicesResult } from '../activity-types.ts'

/** Enough for about 250 slices of one coin, or fewer slices of a hundred ids each. */
const MAX_CHARS = 64_000

/** The next planned slices of a run: at least one, and no more than fit into the limit of characters. */
export async function nextSlices(
  deps: Pick<StoreDeps, 'store'>,
  input: NextSlicesInput,
): Promise<NextSlicesResult> {
  const found = await deps.store.nextSlices(input)
  const slices: PlannedSlice[] = []
  let chars = 0
  for (const slice of found) {
    chars += JSON.stringify(slice).length
    if (slices.length > 0 && chars > MAX_CHARS) break
    slices.push(slice)
  }
  return { slices, isEnd: slices.length === found.length && found.length < input.limit }
}
