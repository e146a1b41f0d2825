import Coingecko from '@coingecko/coingecko-typescript'
import type { OperationId } from '../../../api/operation.ts'
import type { MarketSpec } from '../../../service/market/market-spec.ts'
import { held } from './held-values.ts'
import type { Held, HeldRow } from './held-values.ts'
import { serveWarehouse } from './served-warehouse.ts'

const KEY = 'CG-real-client'

/** The provider's own client on coinlake's service, and the warehouse behind it. */
export interface RealClient {
  client: Coingecko
  db: Held
  /** Passes a call through and remembers the operation it is of. */
  ask<T>(operation: OperationId, call: PromiseLike<T>): PromiseLike<T>
  asked: ReadonlySet<OperationId>
  /** Rows of the newest observation of a table. */
  newest(table: string, condition?: string, order?: string): Promise<HeldRow[]>
  close(): Promise<void>
}

/** Only the base URL and the key are another: everything else of the client is as its users have it. */
export async function openRealClient(spec: MarketSpec): Promise<RealClient> {
  const argv = ['--profile', 'coingecko-pro']
  const served = await serveWarehouse(spec, argv, { COINLAKE_SERVE_KEY: KEY })
  const db = held(served.connection)
  const asked = new Set<OperationId>()
  return {
    client: new Coingecko({ proAPIKey: KEY, baseURL: `${served.url}/api/v3` }),
    db,
    asked,
    ask: (operation, call) => {
      asked.add(operation)
      return call
    },
    newest: (table, condition = 'true', order = 'ordinal') =>
      db.rows(
        `FROM ${table} WHERE ${condition} AND observed_at =
           (SELECT max(observed_at) FROM ${table} WHERE ${condition}) ORDER BY ${order}`,
      ),
    close: () => served.close(),
  }
}
