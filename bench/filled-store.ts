import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { frozenClock } from '../config/clock.ts'
import { createTableSql } from '../datasets/table/ddl.ts'
import { MARKET_CHART } from '../datasets/market-chart.ts'
import { allTables, datasets } from '../datasets/index.ts'
import { openStore } from '../sinks/duckdb-store/open-store.ts'
import { createDuckdbPublication } from '../sinks/publish-duckdb/duckdb-publication.ts'
import type { Slice } from '../datasets/dataset.ts'
import type { PageStage } from '../stage/page-stage.ts'
import { createParquetPublication } from '../sinks/publish-parquet/parquet-publication.ts'

/** The first point of every coin. */
export const START_MS = Date.UTC(2018, 0, 1)
const START = `TIMESTAMPTZ '${new Date(START_MS).toISOString()}'`
/** A slice of hourly points: 90 days, as `datasets/chart/chart-dataset.ts` cuts them. */
const SLICE_HOURS = 2_160
const ROWS_PER_LOAD = 1_000_000

/** Hours [fromHour, toHour) of some coins, for a load. */
export interface ChartPages {
  slices: Slice[]
  /** Gives the store the pages and rows that it wants while it loads the slices. */
  stage: PageStage
  rows: number
}

/** SQL of a point's values, and its jitter, by `price`, the coin's place `k` and the hour `i`. */
export const VALUE_SHAPES = {
  /** Like the source: prices of six digits, other values in cents, times that jitter by minutes. */
  realistic: {
    values: [
      'round(price, 5 - floor(log10(price))::INTEGER)',
      'round(price * 19000000, 2)',
      'round(price * (1000 + hash(i, k, 3) % 1000000 / 7.0), 2)',
    ],
    jitterMs: 600_000,
  },
  /** All digits of a DOUBLE, without repetition; times on the hour. */
  full: {
    values: ['price', 'price * 19000000.123', 'price * (1000 + hash(i, k, 3) % 1000000 / 7.0)'],
    jitterMs: 1,
  },
} as const

/** A store with many rows of `market_chart`, and its publications. */
export type FilledStore = Awaited<ReturnType<typeof openFilledStore>>

/** Opens the store in `dir`, or makes an empty one. */
export async function openFilledStore(dir: string) {
  mkdirSync(dir, { recursive: true })
  const clock = frozenClock(Date.UTC(2026, 0, 1))
  const file = join(dir, 'store.duckdb')
  const store = await openStore({ file, datasets, coinlakeVersion: '0.0.0', clock })
  const connection = await store.connect()
  const link = join(dir, 'coinlake.duckdb')
  const treeLink = join(dir, 'parquet')
  const duckdb = createDuckdbPublication({
    connection,
    alone: store.alone,
    tables: allTables,
    dir: join(dir, 'duckdb'),
    link,
  })
  const parquet = createParquetPublication({
    connection,
    tables: allTables,
    dir: join(dir, 'parquet-versions'),
    link: treeLink,
    version: 'v2',
  })
  return {
    connection,
    duckdb,
    link,
    treeLink,
    /** Loads all pages as a run of its own. Returns the time of the load without its plan, ms. */
    async load({ slices, stage, rows }: ChartPages): Promise<number> {
      const runId = `run-${slices[0]?.fromMs}-${rows}`
      const run = { runId, orderId: 'order', startedAtMs: Date.now(), coinlakeVersion: '0.0.0' }
      await store.writePlan(run, slices)
      const ordinals = slices.map((_, ordinal) => ordinal)
      const nowMs = Math.max(...slices.map(({ toMs }) => toMs))
      return await timed(async () => {
        const report = await store.load({ runId, ordinals, nowMs }, stage)
        if (report.slices !== slices.length) throw new Error('not all slices were loaded')
      })
    },
    /** Makes both publications. Returns the time of each, ms. */
    async publish() {
      const run = { runId: 'bench', publishedAtMs: Date.now(), coinlakeVersion: '0.0.0' }
      const duckdbMs = await timed(() => duckdb.publish(run))
      const parquetMs = await timed(() => parquet.publish(run))
      return { duckdbMs, parquetMs }
    },
    async close() {
      connection.closeSync()
      await store.close()
    },
  }
}

/** The time that work takes, ms. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

/**
 * Fills an empty store by SQL with hourly points of `coins` coins. The ledger has loads of a million rows and slices of
 * 90 days, one request each.
 */
export async function fillStore(
  { connection }: FilledStore,
  shape: { coins: number; hours: number; digits: keyof typeof VALUE_SHAPES },
): Promise<void> {
  const { coins, hours } = shape
  await connection.run(createTableSql(MARKET_CHART))
  const { values, jitterMs } = VALUE_SHAPES[shape.digits]
  const [price, cap, volume] = values
  const atOnce = Math.max(1, Math.floor(ROWS_PER_LOAD / hours))
  await connection.run(
    `INSERT INTO _runs BY NAME SELECT 'filled' AS run_id, 'order' AS order_id, 'complete' AS verdict,
       now() AS started_at, now() AS finished_at, '0.0.0' AS coinlake_version`,
  )
  let loadId = 0
  for (let from = 0; from < coins; from += atOnce) {
    loadId += 1
    const place = `range(${from}, ${Math.min(coins, from + atOnce)}) a(k)`
    await connection.run('BEGIN')
    await connection.run(
      `INSERT INTO market_chart BY NAME SELECT ${coinSql('k')} AS coin_id, 'usd' AS vs_currency,
         '1h' AS granularity, ts, ${START} + INTERVAL (i) HOUR AS bucket_at, ${price} AS price,
         ${cap} AS market_cap, ${volume} AS total_volume,
         (ts AT TIME ZONE 'UTC')::DATE AS bucket_date, false AS is_provisional,
         ${START} + INTERVAL (${hours}) HOUR AS fetched_at, ${sliceSql(`i // ${SLICE_HOURS}`)} AS slice_id,
         ${loadId} AS load_id
       FROM (SELECT k, i, ${START} + INTERVAL (i) HOUR + INTERVAL (hash(i, k) % ${jitterMs}) MILLISECOND AS ts,
           exp(hash(k) % 1000 / 100.0) * (1 + sin(i / 500.0) / 2) * (1 + hash(i, k, 7) % 1000003 / 1e8) AS price
         FROM ${place}, range(${hours}) b(i))`,
    )
    await connection.run(
      `INSERT INTO _slices BY NAME SELECT 'filled' AS run_id, k * 1000 + s AS ordinal,
         ${sliceSql('s')} AS slice_id, 0 AS generation, 'market_chart' AS dataset,
         ${coinSql('k')} AS entity, 'usd' AS vs_currency, '1h' AS granularity, 'loaded' AS state,
         ${START} + INTERVAL (s * ${SLICE_HOURS}) HOUR AS from_at,
         ${START} + INTERVAL (least((s + 1) * ${SLICE_HOURS}, ${hours})) HOUR AS to_at, to_at AS settled_to,
         '1h' AS delivered_granularity, 1 AS pages, 1 AS calls,
         least(${SLICE_HOURS}, ${hours} - s * ${SLICE_HOURS}) AS row_count, 0 AS moved, 1 AS outside_slice,
         0 AS duplicate, 0 AS future, 0 AS quarantined, ${START} + INTERVAL (${hours}) HOUR AS fetched_at,
         ${loadId} AS load_id, now() AS planned_at, now() AS updated_at
       FROM ${place}, range(${Math.ceil(hours / SLICE_HOURS)}) b(s)`,
    )
    await connection.run(
      `INSERT INTO _requests BY NAME SELECT slice_id || '-g0-s0-p1' AS request_id, run_id, slice_id,
         0 AS step, 1 AS page, 'coins/{id}/market_chart/range' AS operation,
         'http://127.0.0.1:8080/v2/coins/' || entity || '/market_chart/range?vs_currency=usd&from='
           || epoch_ms(from_at) // 1000 || '&to=' || epoch_ms(to_at) // 1000 AS url, 200 AS status,
         200000 AS bytes, row_count AS rows, row_count AS items, sha256(slice_id) AS body_sha256,
         fetched_at AS requested_at, 50 AS duration_ms, 1 AS calls
       FROM _slices WHERE load_id = ${loadId}`,
    )
    await connection.run(
      `INSERT INTO _contents SELECT 'market_chart', slice_id, load_id, load_id, row_count,
         hash(slice_id)::VARCHAR, version() FROM _slices WHERE load_id = ${loadId}`,
    )
    await connection.run(
      `INSERT INTO _loads BY NAME SELECT ${loadId} AS load_id, 'filled' AS run_id, now() AS loaded_at,
         count(*) AS slices, sum(row_count) AS rows_inserted, 0 AS rows_replaced, 0 AS rows_revised,
         0 AS rows_duplicate, 0 AS rows_quarantined, '0.0.0' AS coinlake_version
       FROM _slices WHERE load_id = ${loadId}`,
    )
    await connection.run('COMMIT')
  }
  await connection.run(
    `INSERT INTO _partitions SELECT DISTINCT 'market_chart', strftime(bucket_date, '%Y-%m'), ${loadId}
     FROM market_chart WHERE coin_id = ${coinSql('0')}`,
  )
  await connection.run('CHECKPOINT')
}

/** The name of coin `place`, as in `coinSql`. Names differ in their first letters, as real ones do. */
export function coinName(place: number): string {
  return `${String(place).padStart(5, '0')}-coin`
}

export function coinSql(place: string): string {
  return `lpad((${place})::VARCHAR, 5, '0') || '-coin'`
}

/** The id of slice `number` of coin `k`. */
export function sliceSql(number: string): string {
  return `substr(md5(k || '-' || (${number})), 1, 20)`
}
