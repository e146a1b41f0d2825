import type { Clock } from '../../config/clock.ts'
import { datasets } from '../../datasets/index.ts'
import type { AnswerSource } from '../answer-source.ts'
import { openWarehouse } from './open-warehouse.ts'
import { createWarehouseSource } from './warehouse-source.ts'

/**
 * A published warehouse as a source. "Now" is the time of `clock`, so with the real clock "the last 7
 * days" of a warehouse that was filled a month ago are empty.
 *
 * @throws ConfigError WAREHOUSE_NOT_FOUND, WAREHOUSE_NOT_DUCKDB, WAREHOUSE_HELD, WAREHOUSE_NEWER or
 * WAREHOUSE_UNREADABLE
 */
export async function createPublishedSource(path: string, clock: Clock): Promise<AnswerSource> {
  const instance = await openWarehouse(path)
  return createWarehouseSource({
    connect: () => instance.connect(),
    datasets,
    clock,
    close: () => instance.closeSync(),
  })
}
