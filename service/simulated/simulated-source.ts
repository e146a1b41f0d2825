import { DuckDBInstance } from '@duckdb/node-api'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Table as ArrowTable } from 'apache-arrow'
import { frozenClock } from '../../config/clock.ts'
import type { Column } from '../../datasets/dataset.ts'
import { createTableSql } from '../../datasets/table/ddl.ts'
import { allTables, datasets, tableByName } from '../../datasets/index.ts'
import type { AnswerSource } from '../answer-source.ts'
import { createMadeRows } from './made-rows.ts'
import { createMarketRowMaker } from './market-row-maker.ts'
import { sharedBatches } from '../market/entity-rows.ts'
import { dailyMarkets } from '../market/market.ts'
import type { MarketSpec } from '../market/market-spec.ts'
import { writeBatches } from '../market/write-batches.ts'
import type { WriteRows } from '../market/write-batches.ts'
import { createWarehouseSource } from '../warehouse/warehouse-source.ts'

/** Appends Arrow rows to a table. The caller passes the store's way: service/ imports no sinks. */
export type AppendArrow = (
  connection: DuckDBConnection,
  table: string,
  rows: ArrowTable,
  columns: readonly Column[],
) => Promise<unknown>

export interface SimulatedSourceOptions {
  spec: MarketSpec
  append: AppendArrow
  /** Most rows of single entities in memory. Default MAX_MADE_ROWS. */
  maxMadeRows?: number
}

/** Most rows of coins, exchanges and tokens in memory, some 300 MB. Only the largest preset has more. */
const MAX_MADE_ROWS = 3_000_000

/** Threads of the in-memory database. Its queries are small. */
const THREADS = '2'

/**
 * The simulated market of one moment: a warehouse in memory. Listings are made at once, rows of single coins, exchanges
 * and tokens on request.
 *
 * @throws ConfigError MARKET_SPEC
 */
export async function createSimulatedSource({
  spec,
  append,
  maxMadeRows = MAX_MADE_ROWS,
}: SimulatedSourceOptions): Promise<AnswerSource> {
  const markets = dailyMarkets(spec)
  const instance = await DuckDBInstance.create(':memory:', { threads: THREADS })
  const writer = await instance.connect()
  for (const table of allTables) {
    await writer.run(createTableSql(table, { lineage: false }))
  }
  const write: WriteRows = async (table, rows) => {
    await append(writer, table, rows, tableByName(table)!.columns)
  }
  await writeBatches(sharedBatches(markets), write)
  const made = createMadeRows(createMarketRowMaker(markets, writer, write), maxMadeRows)
  return createWarehouseSource({
    connect: () => instance.connect(),
    datasets,
    clock: frozenClock(spec.nowMs),
    prepare: (selections) => made.prepare(selections),
    close: () => {
      writer.closeSync()
      instance.closeSync()
    },
  })
}
