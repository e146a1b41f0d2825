import type { Clock } from '../../config/clock.ts'
import { datasets } from '../../datasets/index.ts'
import type { AnswerSource } from '../answer-source.ts'
import { openWarehouse } from './open-warehouse.ts'
import { createWarehouseSource } from './warehouse-source.ts'

/**
 * A published warehouse as a source. With the real clock "the last 7 days" of an old warehouse are empty.
 *
 * @throws ConfigError, those of openWarehouse
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
