import type { DuckDBConnection } from '@duckdb/node-api'
import { onTestFinished } from 'vitest'
import type { RunReport } from '../../../activities/run-report.ts'
import type { FaultOrder } from '../../../service/faults/fault-order.ts'
import type { RequestEntry } from '../../../service/request-log.ts'
import { MARKET_PRESETS, type MarketSpec } from '../../../service/market/market-spec.ts'
import { createMarket } from '../../../service/market/market.ts'
import { allTables, datasetByName } from '../../../datasets/index.ts'
import { movableClock, openWarehouse, type Warehouse } from '../../parts/proof-warehouse.ts'
import { holdMarket } from '../../parts/held-market.ts'
import { serveSource } from '../../parts/serve-source.ts'
import { orderLine, type OrderWindow } from '../../proof/market-orders.ts'
import { tableHash } from '../../parts/table-hashes.ts'

const NOW_MS = Date.UTC(2024, 5, 15, 9)
/** Datasets by name, with the window of those that have series. */
export type Asked = readonly [string, OrderWindow?][]

/** The result of an export under faults. */
export interface FaultyExport {
  report: RunReport
  requests: readonly RequestEntry[]
  /** Rows and hash of each table, by name. */
  tables: Record<string, string>
  warehouse: Warehouse
  /** The store, attached read-only to `connection` under this name. */
  store: string
  connection: DuckDBConnection
}

/** Exports one and the same small market once for every list of faults, each into a warehouse of its own. */
export async function exportsUnder(
  lists: readonly (readonly FaultOrder[])[],
  changes: Partial<MarketSpec>,
  asked: Asked,
): Promise<FaultyExport[]> {
  const spec = {
    ...MARKET_PRESETS.roundtrip,
    coins: 24,
    exchanges: 4,
    seed: 11,
    nowMs: NOW_MS,
    ...changes,
  }
  const clock = movableClock(NOW_MS)
  const market = await holdMarket(spec, clock)
  const described = createMarket(spec)
  const lines = asked.map(([name, window]) => orderLine(datasetByName(name)!, described, window))
  const results: FaultyExport[] = []
  for (const [place, faults] of lists.entries()) {
    const served = await serveSource(market.source, { faults })
    onTestFinished(served.close)
    const warehouse = openWarehouse(served, clock)
    const { report } = await warehouse.export(lines)
    const store = `store${place}`
    const { connection } = market
    await connection.run(`ATTACH '${warehouse.paths.storeFile}' AS ${store} (READ_ONLY)`)
    const tables: Record<string, string> = {}
    for (const table of allTables) {
      tables[table.name] = await tableHash(connection, table, `${store}.${table.name}`)
    }
    results.push({ report, requests: served.log, tables, warehouse, store, connection })
  }
  onTestFinished(() => market.source.close())
  return results
}
