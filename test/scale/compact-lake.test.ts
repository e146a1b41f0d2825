import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import { hours, ticksRows } from '../sinks/duckdb-store/memory-stage.ts'
import { openTestStore } from '../sinks/duckdb-store/open-test-store.ts'
import { storeHarness } from '../sinks/duckdb-store/store-harness.ts'
import { LATE_MS, ticksSlice } from '../sinks/duckdb-store/test-dataset.ts'
import { startPostgres } from './parts/postgres.ts'
import { tempDir } from '../parts/temp-dir.ts'

const LOADS = 8
const ROWS = 20

const postgres = await startPostgres()

test.each(['PostgreSQL', 'SQLite'])(
  'few files and the same rows, while it is read and loaded: catalog in %s',
  async (kind) => {
    const folder = tempDir()
    const lake = {
      catalog:
        kind === 'SQLite'
          ? `sqlite:${join(folder, 'catalog.sqlite')}`
          : postgres.makeCatalog('compacted'),
      data: join(folder, 'data'),
      extensionDir: inject('extensions'),
      tempDir: join(folder, 'tmp'),
    }
    const store = await openTestStore(lake)
    const other = await openTestStore(lake)
    try {
      const { loadOne, ticks } = storeHarness(store)
      const load = async (coinId: string): Promise<void> => {
        const columns = ticksRows(hours(0, ROWS), undefined, { coin_id: { constant: coinId } })
        await loadOne({ slice: ticksSlice(0, ROWS, coinId), fetchedAtMs: LATE_MS, columns })
      }
      for (let count = 0; count < LOADS; count++) await load(`coin-${count}`)
      const [before, filesBefore] = [await ticks(), await fileCount(store, 'ticks')]
      expect(filesBefore).toBeGreaterThanOrEqual(LOADS)
      expect(await fileCount(store, '_slices')).toBeGreaterThanOrEqual(LOADS)

      const [report] = await Promise.all([other.compact(), load('coin-beside')])
      expect(report?.merged).toBeGreaterThan(LOADS)
      expect(report?.into).toBeLessThan(LOADS)
      // Files that were replaced just now stay for their readers.
      expect(report?.removed).toBe(0)
      expect(await fileCount(store, 'ticks')).toBeLessThanOrEqual(2)
      expect(await fileCount(store, '_slices')).toBeLessThanOrEqual(3)
      await load('coin-after')
      const after = await ticks()
      expect(after).toHaveLength(before.length + 2 * ROWS)
      expect(after).toEqual(expect.arrayContaining(before))
      expect(await other.compact()).toMatchObject({ removed: 0 })
      expect(await ticks()).toEqual(after)
    } finally {
      await other.close()
      await store.close()
    }
  },
)

async function fileCount(store: Store, table: string): Promise<number> {
  const [row] = await store.query(
    `SELECT file_count FROM ducklake_table_info('lake') WHERE table_name = '${table}'`,
  )
  return Number(row?.['file_count'])
}
