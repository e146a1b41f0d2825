import { unknownEntities } from './read-absences.ts'
import { type Bound, bindContext } from '../bind-context.ts'
import { covered, rechecksAfter } from './covered-intervals.ts'
import { callsSince, knownListings } from './ledger-look.ts'
import type { LedgerContext } from '../store-context.ts'
import { universe } from './freeze-universe.ts'

const LOOKS = { covered, rechecksAfter, universe, unknownEntities, knownListings, callsSince }

/** The part of a ledger that a plan is made from and priced with. */
export type LedgerView = Bound<typeof LOOKS>

/** The ledger of a store or of a published file; a reader without rows is a warehouse that covers nothing. */
export function ledgerView(of: LedgerContext): LedgerView {
  return bindContext(of, LOOKS)
}
