import type { Config } from '../../config/config.ts'
import { stageSharerId } from '../../config/warehouse-paths.ts'
import { datasets } from '../../datasets/index.ts'
import { remakePages } from '../../sinks/replay/remake-page.ts'
import { openStage, type Stage, type StageOptions } from '../../stage/open-stage.ts'

export function openConfiguredStage(
  config: Config,
  options: Omit<StageOptions, 'keep' | 'remake' | 'sharedBy'>,
): Stage {
  const { keep } = config.stage
  const { maxHistoryDays, concurrency: inFlight } = config.source
  const remake = remakePages({ datasets, maxHistoryDays })
  return openStage({ keep, remake, inFlight, sharedBy: stageSharerId(config), ...options })
}
