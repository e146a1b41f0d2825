import { afterEach, beforeEach, describe, expect } from 'vitest'
import { checkContents } from '../../../sinks/verify/check-contents.ts'
import { ledgerConformance } from './ledger-conformance.ts'
import { loadConformance } from './load-conformance.ts'
import { storeHarness, type StoreHarness, type StoreUnderTest } from './store-harness.ts'
import { verifyContextOf } from './verify-context-of.ts'
import { TABLES } from './test-dataset.ts'

/** The duties of every Store, on any database. */
export function storeConformance(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`store conformance: ${name}`, () => {
    let harness: StoreHarness & StoreUnderTest
    beforeEach(async () => {
      const under = await open()
      harness = { ...under, ...storeHarness(under.store) }
    })
    afterEach(async () => {
      // After any loads of a test the ledger knows every row that is there.
      const context = verifyContextOf(await harness.reopen())
      for (const table of TABLES) {
        expect(await checkContents(context, table, table.name)).toEqual([])
      }
      await harness.dispose()
    })
    ledgerConformance(() => harness)
    loadConformance(() => harness)
  })
}
