import type { Config } from '../../config/config.ts'
import { datasets } from '../../datasets/index.ts'
import { remakePages } from '../../sinks/replay/remake-page.ts'
import { openStage } from '../../stage/open-stage.ts'
import type { Stage, StageOptions } from '../../stage/open-stage.ts'

/** A stage of a configuration, whose rows are made again by the datasets of today. */
export function stageOf(
  { stage: { keep }, source }: Config,
  options: Omit<StageOptions, 'keep' | 'remake'>,
): Stage {
  const { maxHistoryDays } = source
  return openStage({ keep, remake: remakePages({ datasets, maxHistoryDays }), ...options })
}
