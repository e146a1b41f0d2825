import { unknownEntities } from './read-absences.ts'
import { type Bound, bindContext } from '../bind-context.ts'
import { covered, rechecksAfter } from './covered-intervals.ts'
import { callsSince, knownListings } from './read-requests.ts'
import type { LedgerContext } from '../store-context.ts'
import { universe } from './freeze-universe.ts'

const READS = { covered, rechecksAfter, universe, unknownEntities, knownListings, callsSince }

/** The reads of a ledger that a plan and its price need. */
export type LedgerReader = Bound<typeof READS>

/**
 * The reads on the ledger of a store or of a published file. A context that gives no rows is that of an empty
 * warehouse.
 */
export function ledgerReader(of: LedgerContext): LedgerReader {
  return bindContext(of, READS)
}
