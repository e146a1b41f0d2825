import { unknownEntities } from '../../ledger/absences.ts'
import { type Bound, bindContext } from '../bind-context.ts'
import { covered, rechecksAfter } from './covered-intervals.ts'
import { callsSince, knownListings } from './read-requests.ts'
import type { LedgerContext } from '../store-context.ts'
import { universe } from './freeze-universe.ts'

const READS = { covered, rechecksAfter, universe, unknownEntities, knownListings, callsSince }

/** The reads of a ledger for a plan and its price. */
export type LedgerReader = Bound<typeof READS>

/** The reads on the ledger of a store or a published file. A context without rows is an empty warehouse. */
export function ledgerReader(of: LedgerContext): LedgerReader {
  return bindContext(of, READS)
}
