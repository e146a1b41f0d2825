import { join } from 'node:path'
import { type DuckDBConnection } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { frozenClock } from '../../../config/clock.ts'
import type { TableSpec } from '../../../datasets/dataset.ts'
import { allTables, datasets } from '../../../datasets/index.ts'
import { openStore, type Store } from '../../../sinks/duckdb-store/open-store.ts'
import type { Publication } from '../../../sinks/publication.ts'
import { publishedTable } from '../../../sinks/publish-duckdb/published-table.ts'
import { coverageView } from '../../../sinks/ledger/coverage-view.ts'
import { ledgerTables } from '../../../sinks/ledger/ledger-tables.ts'
import { MARKET_CHART } from '../../../datasets/market-chart.ts'
import { coverage } from '../../../sinks/views/coverage.ts'
import { makeTables } from '../../parts/make-tables.ts'
import { analystViews } from '../../../sinks/views/analyst-views.ts'
import { type StoreHarness, storeHarness } from '../duckdb-store/store-harness.ts'
import { DATASETS, HOUR_MS, START_MS, TABLES, ticksSlice } from '../duckdb-store/test-dataset.ts'
import { publicationOf } from './publication-of.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { askDuckdb } from '../../parts/duckdb.ts'

const RUN = { runId: 'run', publishedAtMs: START_MS, coinlakeVersion: '0.1.0' }
const NOW_MS = START_MS + 100 * HOUR_MS

describe('publications of the real store', () => {
  let root = ''
  let store: Store
  let connection: DuckDBConnection
  let publications: Publication[]

  async function open(tables: readonly TableSpec[], of = DATASETS): Promise<void> {
    root = tempDir()
    const clock = frozenClock(NOW_MS)
    const file = join(root, 'state', 'store.duckdb')
    store = await openStore({ file, datasets: of, coinlakeVersion: '0.1.0', clock })
    connection = await store.connect()
    const { alone } = store
    publications = (['duckdb', 'parquet'] as const).map((kind) =>
      publicationOf(kind, root, connection, { tables, alone }),
    )
  }

  async function published(sql: string): Promise<unknown[]> {
    return (await askDuckdb(join(root, 'coinlake.duckdb'), sql, 'READ_ONLY')).getRowsJson()
  }

  const publish = async (): Promise<boolean[]> => {
    const changed: boolean[] = []
    for (const publication of publications) changed.push((await publication.publish(RUN)).changed)
    return changed
  }

  afterEach(async () => {
    connection.closeSync()
    await store.close()
  })

  describe('with every dataset', () => {
    beforeEach(async () => {
      await open(allTables, datasets)
    })

    test('views come with the tables that they need, all with comments', async () => {
      expect(await publish()).toEqual([true, true])
      expect(await published('FROM (SHOW TABLES)')).toEqual(
        [...ledgerTables, coverageView, publishedTable, coverage]
          .map(({ name }) => name)
          .sort()
          .map((name) => [name]),
      )
      await makeTables(connection, [MARKET_CHART])
      expect(await publish()).toEqual([true, false])
      expect(await published('SELECT count(*)::INTEGER FROM latest_prices')).toEqual([[0]])
      await makeTables(connection, allTables)
      expect(await publish()).toEqual([true, false])
      const views = await published('SELECT view_name FROM duckdb_views() WHERE NOT internal')
      expect(new Set(views.flat())).toEqual(
        new Set(['_coverage', ...analystViews.map((view) => view.name)]),
      )
      const bare = await published(
        `SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal AND comment IS NULL
         UNION ALL SELECT table_name, '' FROM duckdb_tables() WHERE comment IS NULL`,
      )
      expect(bare).toEqual([])
      expect(await publish()).toEqual([false, false])
    })
  })

  describe('after loads', () => {
    /** Its runs are run-1, run-2, ... */
    let harness: StoreHarness
    beforeEach(async () => {
      await open(TABLES)
      harness = storeHarness(store)
    })
    const load = (fromHour: number, toHour: number) =>
      harness.loadTicks(fromHour, toHour, { fetchedAtMs: NOW_MS })

    test('what changes without a load is published, and a run that changes nothing is not', async () => {
      const shown = async () =>
        published(
          `SELECT verdict, (SELECT count(*) FROM _requests)::INTEGER FROM _runs ORDER BY run_id`,
        )
      await load(0, 24)
      expect(await publish()).toEqual([true, true])
      expect(await shown()).toEqual([[null, 1]])
      // Cancelled, with nothing loaded since.
      await store.finishRun('run-1', 'cancelled', NOW_MS)
      expect(await publish()).toEqual([true, false])
      expect(await shown()).toEqual([['cancelled', 1]])
      // The report writes the end once more.
      await store.finishRun('run-1', 'cancelled', NOW_MS + 1)
      const run = { runId: 'run-2', orderId: 'o', startedAtMs: 0, coinlakeVersion: '0.1.0' }
      await store.writePlan(run, [])
      await store.finishRun('run-2', 'complete', NOW_MS)
      expect(await publish()).toEqual([false, false])
      const lost = { sliceId: 's', operation: 'ping', url: '', status: 500, code: 'SOURCE_DOWN' }
      const times = { requestedAtMs: NOW_MS, durationMs: 1, calls: 1 }
      await store.recordRequests('run-1', [{ requestId: 'lost', ...lost, ...times }])
      expect(await publish()).toEqual([true, false])
      expect(await shown()).toEqual([
        ['cancelled', 2],
        ['complete', 2],
      ])
      await connection.run(
        `INSERT INTO _quarantine BY NAME SELECT 'q' AS quarantine_id, 'ticks' AS dataset, 's' AS slice_id,
           'rule' AS rule, '$' AS path, '1' AS raw, '' AS url, now() AS fetched_at, 1 AS load_id`,
      )
      expect(await publish()).toEqual([true, false])
      await store.dropQuarantine(['q'])
      expect(await publish()).toEqual([true, false])
      expect(await published('SELECT ended_as FROM _quarantine')).toEqual([['dropped']])
      expect(await publish()).toEqual([false, false])
    })

    test('a query of the store that goes on is waited for: the copy holds what was committed', async () => {
      const reading = await store.connect()
      await load(0, 24)
      await reading.run('BEGIN')
      await reading.run('FROM ticks')
      await load(24, 48)
      const publishing = publish()
      setTimeout(() => void reading.run('COMMIT'), 200)
      expect(await publishing).toEqual([true, true])
      expect(await published('SELECT count(*)::INTEGER FROM ticks')).toEqual([[48]])
      reading.closeSync()
    })

    test('a run that only failed is published as ledger', async () => {
      await load(0, 24)
      await publish()
      const slice = ticksSlice(24, 48)
      const run = { runId: 'run-2', orderId: 'o', startedAtMs: 0, coinlakeVersion: '0.1.0' }
      await store.writePlan(run, [slice])
      await store.failSlices('run-2', [{ ordinal: 0, code: 'SOURCE_DOWN', reason: 'no answer' }])
      expect(await publish()).toEqual([true, false])
      expect(await published('SELECT entity, state, days FROM coverage ORDER BY from_at')).toEqual([
        ['bitcoin', 'verified', 1],
        ['bitcoin', 'failed', 1],
      ])
    })
  })
})
