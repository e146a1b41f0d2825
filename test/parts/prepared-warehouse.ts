import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { frozenClock } from '../../config/clock.ts'
import { warehousePaths, type WarehousePaths } from '../../config/warehouse-paths.ts'
import { allTables, datasets } from '../../datasets/index.ts'
import { openStore } from '../../sinks/duckdb-store/open-store.ts'
import { publicationOf } from '../sinks/publish/publication-of.ts'
import { makeTables } from './make-tables.ts'
import { type Captured, runCaptured } from './run-captured.ts'
import { failedSlice, reportedTotals, runReport, sliceCounts } from './run-report.ts'
import { tempDir } from './temp-dir.ts'

/** Ten days of daily prices after 2024-04-01; now is half past five on the 10th. */
export const PREPARED_NOW_MS = Date.UTC(2024, 3, 10, 5, 30)
/** Ids that a source may give a coin. */
export const EVIL = `<script>alert("1")</script>&'`

export interface PreparedWarehouse {
  dir: string
  paths: WarehousePaths
  run(...argv: string[]): Promise<Captured>
}

const SLICE = `SELECT 'r1' AS run_id, 0 AS generation, 'market_chart' AS dataset, 'usd' AS vs_currency, '1d' AS granularity,
  1 AS pages, 1 AS calls, 10 AS row_count, 0 AS quarantined, TIMESTAMPTZ '2024-04-10 05:00:00+00' AS fetched_at,
  1 AS load_id, TIMESTAMPTZ '2024-04-10 05:00:00+00' AS planned_at, TIMESTAMPTZ '2024-04-10 05:00:00+00' AS updated_at`
const EVIL_SQL = `'${EVIL.replaceAll("'", "''")}'`

/** A ledger and rows as a run leaves them, written by hand so that every figure is known. */
const ROWS = [
  `INSERT INTO _runs BY NAME SELECT 'r1' AS run_id, 'order' AS order_id, 'partial' AS verdict,
     TIMESTAMPTZ '2024-04-10 05:00:00+00' AS started_at, TIMESTAMPTZ '2024-04-10 05:01:00+00' AS finished_at, '0.1.0' AS coinlake_version`,
  `INSERT INTO _loads BY NAME SELECT 1 AS load_id, 'r1' AS run_id, TIMESTAMPTZ '2024-04-10 05:00:30+00' AS loaded_at, 2 AS slices,
     20 AS rows_inserted, 0 AS rows_replaced, 0 AS rows_revised, 0 AS rows_duplicate, 2 AS rows_quarantined, '0.1.0' AS coinlake_version`,
  // bitcoin is whole up to the 10th, the other one failed in its last five days.
  `INSERT INTO _slices BY NAME ${SLICE}, 0 AS ordinal, 's0' AS slice_id, 'bitcoin' AS entity, 'loaded' AS state,
     TIMESTAMPTZ '2024-04-01 00:00:00+00' AS from_at, TIMESTAMPTZ '2024-04-10 00:00:00+00' AS to_at`,
  `INSERT INTO _slices BY NAME ${SLICE}, 1 AS ordinal, 's1' AS slice_id, ${EVIL_SQL} AS entity, 'loaded' AS state,
     TIMESTAMPTZ '2024-04-01 00:00:00+00' AS from_at, TIMESTAMPTZ '2024-04-05 00:00:00+00' AS to_at`,
  `INSERT INTO _slices BY NAME ${SLICE}, 2 AS ordinal, 's2' AS slice_id, ${EVIL_SQL} AS entity, 'failed' AS state,
     'SOURCE_NOT_FOUND' AS code, ${EVIL_SQL} AS reason,
     TIMESTAMPTZ '2024-04-05 00:00:00+00' AS from_at, TIMESTAMPTZ '2024-04-10 00:00:00+00' AS to_at`,
  `INSERT INTO _requests BY NAME SELECT 'q' || i AS request_id, 'r1' AS run_id, 's' || (i % 3) AS slice_id, 0 AS step, 1 AS page,
     'coins/{id}/market_chart/range' AS operation, 'http://127.0.0.1:9/' || i AS url, TIMESTAMPTZ '2024-04-10 05:00:00+00' + to_seconds(i) AS requested_at,
     CASE WHEN i = 7 THEN 429 WHEN i = 8 THEN 404 ELSE 200 END AS status,
     CASE WHEN i = 7 THEN 'THROTTLED' WHEN i = 8 THEN 'SOURCE_NOT_FOUND' END AS code, (i + 1) * 100 AS duration_ms, 1 AS calls
   FROM range(12) t(i)`,
  `INSERT INTO _quarantine BY NAME SELECT 's0-g0-s0-p1-' || i AS quarantine_id, 'market_chart' AS dataset, 's0' AS slice_id,
     'not_a_number' AS rule, '$.prices[' || i || '][1]' AS path, '"<img src=x onerror=alert(1)>"' AS raw, 'http://source/1' AS url,
     TIMESTAMPTZ '2024-04-10 05:00:00+00' AS fetched_at, 1 AS load_id FROM range(3) t(i)`,
  `INSERT INTO _revisions BY NAME SELECT 'market_chart' AS table_name, '{"coin_id":"bitcoin","ts":"2024-04-0' || (i + 1) || ' 00:00:00"}' AS key,
     '{"price":1.5}' AS before, '{"price":2.5}' AS after, TIMESTAMPTZ '2024-04-09 05:00:00+00' AS first_seen_at,
     TIMESTAMPTZ '2024-04-10 05:00:00+00' AS replaced_at, 1 AS old_load_id, 1 AS new_load_id FROM range(2) t(i)`,
  `INSERT INTO market_chart BY NAME SELECT coin_id, 'usd' AS vs_currency, '1d' AS granularity, ts, ts AS bucket_at, 100.0 + i AS price,
     1000.0 AS market_cap, 10.0 AS total_volume, ts::DATE AS bucket_date, false AS is_provisional,
     TIMESTAMPTZ '2024-04-10 05:00:00+00' AS fetched_at, 's0' AS slice_id, 1 AS load_id
   FROM (SELECT i, c.coin_id, TIMESTAMPTZ '2024-04-01 00:00:00+00' + to_days(i::INTEGER) AS ts
     FROM range(9) t(i), (VALUES ('bitcoin'), (${EVIL_SQL})) c(coin_id) WHERE NOT (i > 3 AND c.coin_id <> 'bitcoin'))`,
  `INSERT INTO ohlc BY NAME SELECT 'bitcoin' AS coin_id, 'usd' AS vs_currency, '4h' AS granularity, ts, ts + INTERVAL 4 HOURS AS close_at,
     100.0 AS open, 110.0 AS high, 90.0 AS low, CASE WHEN i % 2 = 0 THEN 105.0 ELSE 95.0 END AS close, ts::DATE AS ts_date, false AS is_provisional,
     TIMESTAMPTZ '2024-04-10 05:00:00+00' AS fetched_at, 's0' AS slice_id, 1 AS load_id
   FROM (SELECT i, TIMESTAMPTZ '2024-04-01 00:00:00+00' + to_hours((i * 4)::INTEGER) AS ts FROM range(12) t(i))`,
  `INSERT INTO _partitions BY NAME SELECT unnest(['market_chart', 'ohlc']) AS table_name, '2024-04' AS month, 1 AS load_id`,
]

const SLICES = sliceCounts({ planned: 3, loaded: 2, failed: 1 })
const FAILED = { fromMs: Date.UTC(2024, 3, 5), toMs: Date.UTC(2024, 3, 10), sliceId: 's2' }
const REPORT = runReport({
  orderId: 'order',
  verdict: 'partial',
  startedAt: '2024-04-10T05:00:00.000Z',
  finishedAt: '2024-04-10T05:01:00.000Z',
  calls: 12,
  rows: 30,
  slices: SLICES,
  datasets: [reportedTotals({ ...SLICES, rows: 30, calls: 12, quarantined: 3 })],
  failures: [failedSlice({ entity: EVIL, reason: EVIL, ...FAILED })],
})

/** A warehouse in a folder that is gone when the test ends, published as told. */
export async function preparedWarehouse(
  sinks: readonly ('duckdb' | 'parquet')[],
  statements: readonly string[] = ROWS,
): Promise<PreparedWarehouse> {
  const dir = tempDir()
  const paths = warehousePaths(join(dir, 'warehouse'))
  mkdirSync(paths.root)
  const clock = frozenClock(PREPARED_NOW_MS)
  writeFileSync(
    join(dir, 'coinlake.yaml'),
    [
      'source: { base_url: "http://127.0.0.1:9", rate: { calls: 30, per: 1m }, monthly_calls: 1000 }',
      'warehouse: ./warehouse',
      'datasets:',
      `  market_chart: { coins: [bitcoin, ${JSON.stringify(EVIL)}], granularity: daily, from: 2024-04-01 }`,
      '',
    ].join('\n'),
  )
  const run = (...argv: string[]): Promise<Captured> => runCaptured(argv, { cwd: dir, clock })
  if (statements.length === 0) return { dir, paths, run }
  const file = paths.storeFile
  const store = await openStore({ file, datasets, coinlakeVersion: '0.1.0', clock })
  const connection = await store.connect()
  await makeTables(connection, allTables)
  for (const statement of statements) await connection.run(statement)
  mkdirSync(paths.runsDir)
  writeFileSync(join(paths.runsDir, 'r1.json'), JSON.stringify(REPORT))
  for (const sink of sinks) {
    const published = { tables: allTables, alone: store.alone }
    const publication = publicationOf(sink, paths.root, connection, published)
    await publication.publish({
      runId: 'r1',
      publishedAtMs: PREPARED_NOW_MS,
      coinlakeVersion: '0.1.0',
    })
  }
  connection.closeSync()
  await store.close()
  return { dir, paths, run }
}
