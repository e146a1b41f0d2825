import { afterEach, beforeEach, describe } from 'vitest'
import { ledgerConformance } from './ledger-conformance.ts'
import { loadConformance } from './load-conformance.ts'
import { storeHarness } from './store-harness.ts'
import type { StoreHarness, StoreUnderTest } from './store-harness.ts'

/** What every Store must do, whatever is behind it. */
export function storeConformance(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`store conformance: ${name}`, () => {
    let harness: StoreHarness
    beforeEach(async () => {
      harness = storeHarness(await open())
    })
    afterEach(async () => {
      await harness.dispose()
    })
    ledgerConformance(() => harness)
    loadConformance(() => harness)
  })
}
