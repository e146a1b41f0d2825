import type { Config } from '../../config/config.ts'
import { datasets } from '../../datasets/index.ts'
import { remakePages } from '../../sinks/replay/remake-page.ts'
import { openStage } from '../../stage/open-stage.ts'
import type { Stage, StageOptions } from '../../stage/open-stage.ts'

/**
 * Opens the stage as configured. Rows that are not in memory are made again from the page's body by this version's
 * datasets.
 */
export function openConfiguredStage(
  { stage: { keep }, source }: Config,
  options: Omit<StageOptions, 'keep' | 'remake'>,
): Stage {
  const { maxHistoryDays } = source
  const remake = remakePages({ datasets, maxHistoryDays })
  return openStage({ keep, remake, inFlight: source.concurrency, ...options })
}
