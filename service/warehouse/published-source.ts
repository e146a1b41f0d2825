import type { Clock } from '../../config/clock.ts'
import { datasets } from '../../datasets/index.ts'
import type { AnswerSource } from '../answer-source.ts'
import { openPublishedFile } from './open-published-file.ts'
import { createWarehouseSource } from './warehouse-source.ts'

/**
 * A published warehouse as a source. With the real clock "the last 7 days" of an old warehouse are empty.
 *
 * @throws ConfigError, those of openPublishedFile
 */
export async function createPublishedSource(path: string, clock: Clock): Promise<AnswerSource> {
  const instance = await openPublishedFile(path)
  return createWarehouseSource({
    connect: () => instance.connect(),
    datasets,
    clock,
    close: () => instance.closeSync(),
  })
}
