import { DuckDBInstance } from '@duckdb/node-api'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Table as ArrowTable } from 'apache-arrow'
import { frozenClock } from '../config/clock.ts'
import type { Clock } from '../config/clock.ts'
import type { Column } from '../datasets/dataset.ts'
import { createTableSql } from '../datasets/ddl.ts'
import { datasets, tableByName } from '../datasets/index.ts'
import type { AnswerSource } from './answer-source.ts'
import { fillWarehouse } from './market/generate-market.ts'
import type { MarketSpec } from './market/market-spec.ts'
import { createWarehouseSource } from './warehouse-source.ts'

/** How Arrow rows get into a table; the store's own way is given in, as service/ knows no sinks. */
export type AppendArrow = (
  connection: DuckDBConnection,
  table: string,
  rows: ArrowTable,
  columns: readonly Column[],
) => Promise<unknown>

export interface SimulatedSourceOptions {
  spec: MarketSpec
  append: AppendArrow
  /**
   * Default: stands still at `spec.nowMs`, as the market holds nothing after it. A running clock is
   * honest about time but lets "now" move away from the newest points.
   */
  clock?: Clock
}

/** Threads of the in-memory database: its queries are small, and the machine has others to run. */
const THREADS = '2'

/**
 * The simulated market as a source: a warehouse in memory, filled and then served like any other.
 *
 * @throws ConfigError MARKET_SPEC
 */
export async function createSimulatedSource({
  spec,
  append,
  clock = frozenClock(spec.nowMs),
}: SimulatedSourceOptions): Promise<AnswerSource> {
  const instance = await DuckDBInstance.create(':memory:', { threads: THREADS })
  const writer = await instance.connect()
  for (const table of datasets.flatMap((dataset) => dataset.tables)) {
    await writer.run(createTableSql(table, { lineage: false }))
  }
  await fillWarehouse(spec, async (table, rows) => {
    await append(writer, table, rows, tableByName(table)!.columns)
  })
  writer.closeSync()
  return createWarehouseSource({
    connect: () => instance.connect(),
    datasets,
    clock,
    close: () => instance.closeSync(),
  })
}
