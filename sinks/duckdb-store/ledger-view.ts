import type { Store } from '../store.ts'
import { unknownEntities } from './absences.ts'
import { covered, rechecksAfter } from './coverage.ts'
import { callsSince, knownListings } from './ledger-look.ts'
import type { LedgerContext } from './store-context.ts'
import { universe } from './universes.ts'

/** The part of a ledger that a plan is made from and priced with. */
export type LedgerView = Pick<
  Store,
  'covered' | 'rechecksAfter' | 'universe' | 'unknownEntities' | 'knownListings' | 'callsSince'
>

/** The same of a store and of a published file; a reader without rows is a warehouse that covers nothing. */
export function ledgerView(of: LedgerContext): LedgerView {
  return {
    covered: async (nowMs) => await covered(of, nowMs),
    rechecksAfter: async (nowMs) => await rechecksAfter(of, nowMs),
    universe: async (selector) => await universe(of, selector),
    unknownEntities: async (runId) => await unknownEntities(of, runId),
    knownListings: async () => await knownListings(of),
    callsSince: async (sinceMs) => await callsSince(of, sinceMs),
  }
}
