import type { Config } from '../../config/config.ts'
import { SLICES_PER_HISTORY } from '../../workflows/messages.ts'
import type { ExportInput } from '../../workflows/messages.ts'

export type RunShape = Pick<ExportInput, 'lanes' | 'inFlight' | 'slicesPerLane' | 'publishEveryMs'>

/**
 * Lanes of a run at most. One keeps all pages in flight with the fewest decisions: pages that end while
 * it decides are decided on together. A second one fetches on while the first begins a new history.
 */
const MAX_LANES = 2

/**
 * How many lanes a run may have, and how many pages each has in flight then: `source.concurrency` in all. A
 * second lane comes with the second history.
 */
export function runShape({ source, publishEveryMs }: Config): RunShape {
  const lanes = Math.min(MAX_LANES, source.concurrency)
  const inFlight = Math.max(1, Math.ceil(source.concurrency / lanes))
  const rhythm = publishEveryMs === null ? {} : { publishEveryMs }
  return { lanes, inFlight, slicesPerLane: SLICES_PER_HISTORY, ...rhythm }
}
