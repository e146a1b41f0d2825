import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { TableSpec } from '../../../datasets/dataset.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { type PublicationKind, publicationOf } from './publication-of.ts'
import { openSampleStore, type SampleStore, sampleTables, storeRows } from './sample-store.ts'

/** A publication as most tests make it. */
export const RUN = {
  runId: '0190abcd-run',
  publishedAtMs: Date.UTC(2024, 5, 1),
  coinlakeVersion: '0.1.0',
}

/** A sample store and a publication of it, below a folder of the test. The store is closed after the test. */
export async function openSample(kind: PublicationKind, root = tempDir()) {
  const store = await openSampleStore(join(root, 'store.duckdb'))
  onTestFinished(() => store.close())
  return { root, store, publication: publicationOf(kind, root, store.connection) }
}

/** Expects readers of tables to find the rows of the store. Returns how many there are. */
export async function expectStored(
  { connection }: SampleStore,
  readBack: (table: TableSpec) => Promise<string[]>,
): Promise<number> {
  let rows = 0
  for (const table of sampleTables) {
    const stored = await storeRows(connection, table)
    expect((await readBack(table)).toSorted()).toEqual(stored.toSorted())
    rows += stored.length
  }
  return rows
}
