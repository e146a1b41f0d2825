import { readMonthCount } from '../../activities/month-count.ts'
import type { Config } from '../../config/config.ts'
import { warehousePaths } from '../../config/warehouse-paths.ts'
import { keyId } from '../../engine/queues.ts'

/**
 * Calls of this UTC month by all who use the key of the configuration, as the warehouse was last
 * told; 0 when nothing is kept. Refused and failed calls count too.
 */
export async function monthUsed(config: Config): Promise<number> {
  const { apiKeys, baseUrl } = config.source
  const [apiKey = null] = apiKeys
  const key = keyId(apiKey === null ? null : apiKey.reveal(), baseUrl)
  return readMonthCount(warehousePaths(config.warehouseDir).stateDir, key, Date.now())
}
