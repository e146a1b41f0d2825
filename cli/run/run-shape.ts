import type { Config } from '../../config/config.ts'
import type { ExportInput } from '../../workflows/messages.ts'

/**
 * Lanes of a run at most. One keeps all pages in flight with the fewest decisions: pages that end while
 * it decides are decided on together. A second one fetches on while the first begins a new history.
 */
const MAX_LANES = 2

/** How many lanes a run may have, and how many pages each has in flight then: `source.concurrency` in all. */
export function runShape({ source }: Config): Pick<ExportInput, 'lanes' | 'inFlight'> {
  const lanes = Math.min(MAX_LANES, source.concurrency)
  return { lanes, inFlight: Math.max(1, Math.ceil(source.concurrency / lanes)) }
}
