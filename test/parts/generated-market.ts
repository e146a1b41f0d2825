import { DAY_MS } from '../../config/values/duration.ts'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Table as ArrowTable } from 'apache-arrow'
import { tableFromColumns } from '../../datasets/arrow/arrow-columns.ts'
import type { Scalar } from '../../datasets/arrow/column-data.ts'
import { allTables, datasets, tableByName } from '../../datasets/index.ts'
import { isOfBuckets } from '../../datasets/request/buckets.ts'
import { createTableSql } from '../../datasets/table/ddl.ts'
import { listingBatches, marketEntities } from '../../service/market/listing-batches.ts'
import type { MarketBatch } from '../../service/market/listing-batches.ts'
import { createMarket, observedAtMs } from '../../service/market/market.ts'
import type { Market } from '../../service/market/market-entries.ts'
import type { MarketSpec } from '../../service/market/market-spec.ts'
import { BATCHED_DATASETS, seriesBatches } from '../../service/market/series-batches.ts'
import { appendArrow } from './append-arrow.ts'

/** A market that was looked at on several days, up to its moment. Default: once. */
export interface ObservedSpec extends MarketSpec {
  observations?: number
}

/**
 * All rows of the market, as an export of each observation would leave them. Datasets read the rows of listings from
 * bodies. Series are written straight into columns, so that a test sees a dataset that mixes columns up.
 */
export function* generateMarket({
  observations = 1,
  ...spec
}: ObservedSpec): Generator<MarketBatch> {
  const catalogues = new Map<string, Map<string, CatalogueEntry>>()
  for (let daysAgo = observations - 1; daysAgo >= 0; daysAgo--) {
    const market = createMarket({ ...spec, nowMs: spec.nowMs - daysAgo * DAY_MS })
    for (const dataset of datasets) {
      // Only the last observation has data with a past.
      if (daysAgo > 0 && !isOfBuckets(dataset)) continue
      if (BATCHED_DATASETS.has(dataset.name)) {
        for (const entity of marketEntities(dataset, market)) {
          yield* seriesBatches(dataset, market, entity)
        }
        continue
      }
      for (const batch of listingBatches(dataset, market)) {
        if (tableByName(batch.table)!.load === 'catalogue') addTo(catalogues, batch, market)
        else yield batch
      }
    }
  }
  for (const [table, entries] of catalogues) {
    yield { table, rows: catalogueRows(table, [...entries.values()]) }
  }
}

interface CatalogueEntry {
  values: Record<string, Scalar>
  firstSeenMs: number
  lastSeenMs: number
}

/** Keeps one entry per key: newest values, first and last seen. */
function addTo(
  catalogues: Map<string, Map<string, CatalogueEntry>>,
  { table, rows }: MarketBatch,
  market: Market,
): void {
  const entries = catalogues.get(table) ?? new Map<string, CatalogueEntry>()
  catalogues.set(table, entries)
  const { columns, key } = tableByName(table)!
  const lastSeenMs = observedAtMs(market)
  for (let row = 0; row < rows.numRows; row++) {
    const values = Object.fromEntries(
      columns.map(({ name }) => {
        const value: unknown = rows.getChild(name)!.get(row)
        return [name, typeof value === 'bigint' ? Number(value) : (value as Scalar)]
      }),
    )
    const place = JSON.stringify(key.map((name) => values[name]))
    const firstSeenMs = entries.get(place)?.firstSeenMs ?? lastSeenMs
    entries.set(place, { values, firstSeenMs, lastSeenMs })
  }
}

function catalogueRows(table: string, entries: readonly CatalogueEntry[]): ArrowTable {
  const spec = tableByName(table)!
  const column = (name: string): Scalar[] => {
    if (name === 'first_seen_at') return entries.map(({ firstSeenMs }) => firstSeenMs)
    if (name === 'last_seen_at') return entries.map(({ lastSeenMs }) => lastSeenMs)
    return entries.map(({ values }) => values[name]!)
  }
  const columns = Object.fromEntries(spec.columns.map(({ name }) => [name, column(name)]))
  return tableFromColumns(spec, columns, entries.length)
}

/** Rows are written from this many on: writing few rows costs as much as writing many. */
const ROWS_PER_WRITE = 10_000
/** Most waiting Arrow tables: even one of a single row takes tens of kB. */
const TABLES_PER_WRITE = 500

/** Makes every table, without lineage, and fills it with the market, several batches of a table in one write. */
export async function fillWithMarket(
  connection: DuckDBConnection,
  spec: ObservedSpec,
): Promise<void> {
  for (const table of allTables) await connection.run(createTableSql(table, { lineage: false }))
  const waiting = new Map<string, ArrowTable[]>()
  const flush = async (table: string): Promise<void> => {
    const [first, ...rest] = waiting.get(table) ?? []
    waiting.delete(table)
    if (first === undefined) return
    await appendArrow(connection, table, first.concat(...rest), tableByName(table)!.columns)
  }
  for (const { table, rows } of generateMarket(spec)) {
    if (rows.numRows === 0) continue
    const tables = [...(waiting.get(table) ?? []), rows]
    waiting.set(table, tables)
    const rowCount = tables.reduce((sum, { numRows }) => sum + numRows, 0)
    if (rowCount >= ROWS_PER_WRITE || tables.length >= TABLES_PER_WRITE) await flush(table)
  }
  for (const table of waiting.keys()) await flush(table)
}
