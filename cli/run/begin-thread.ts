import type { Config } from '../../config/config.ts'
import { requireAlerts } from '../../config/require-alerts.ts'
import { requireKey } from '../../config/require-key.ts'
import { workflowBundle } from '../../engine/workflow-bundle.ts'
import type { WorkflowThread } from '../../engine/workflow-thread.ts'
import type { Effects } from '../effects.ts'
import { livingWorker } from './worker-claim.ts'

/**
 * Starts the thread of a run's workflows early, because this takes as long as loading all other modules. A run that
 * another process works on needs none.
 *
 * @throws ConfigError CONFIG_NO_KEY, CONFIG_NO_ALERT_TARGET
 */
export async function beginThread(
  { env }: Effects,
  config: Config,
): Promise<WorkflowThread | undefined> {
  requireKey(config)
  requireAlerts(config)
  if (livingWorker(config.warehouseDir) !== null) return undefined
  const { startWorkflowThread } = await import('../../engine/workflow-thread.ts')
  return startWorkflowThread(workflowBundle({ env }))
}
