import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { onTestFinished } from 'vitest'
import type { Clock } from '../../config/clock.ts'
import { datasets } from '../../datasets/index.ts'
import type { AnswerSource } from '../../service/answer-source.ts'
import { createMarket } from '../../service/market/market.ts'
import { createWarehouseSource } from '../../service/warehouse/warehouse-source.ts'
import { fillWithMarket, type ObservedSpec } from './generated-market.ts'

/** A simulated market in tables that a test can look into while they are served. */
export interface HeldMarket {
  coinIds: string[]
  exchangeIds: string[]
  source: AnswerSource
  /** To the database that holds it; other files can be attached here. */
  connection: DuckDBConnection
}

/** Fills the warehouse W of a proof, in memory. */
export async function holdMarket(spec: ObservedSpec, clock: Clock): Promise<HeldMarket> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  onTestFinished(() => {
    connection.closeSync()
    instance.closeSync()
  })
  await fillWithMarket(connection, spec)
  const { coins, exchanges } = createMarket(spec)
  const source = await createWarehouseSource({ connect: () => instance.connect(), datasets, clock })
  return {
    coinIds: coins.map(({ id }) => id),
    exchangeIds: exchanges.map(({ id }) => id),
    source,
    connection,
  }
}
