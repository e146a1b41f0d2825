import type { Config } from '../../config/config.ts'
import type { ExportInput } from '../../workflows/messages.ts'

/** Lanes of a run. More lanes than pages in flight only look at the ledger more often. */
const MAX_LANES = 4

/** How many lanes a run has, and how many pages each has in flight: `source.concurrency` in all. */
export function runShape({ source }: Config): Pick<ExportInput, 'lanes' | 'inFlight'> {
  const lanes = Math.min(MAX_LANES, source.concurrency)
  return { lanes, inFlight: Math.max(1, Math.ceil(source.concurrency / lanes)) }
}
