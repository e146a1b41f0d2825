import type { Config } from '../../config/config.ts'
import { requireAlerts } from '../../config/require-alerts.ts'
import { requireKeys } from '../../config/require-key.ts'
import { workflowBundle } from '../../engine/workflow-bundle.ts'
import type { WorkflowThread } from '../../engine/workflow-thread.ts'
import type { Effects } from '../effects.ts'
import { livingWorker } from './worker-claim.ts'

/**
 * Starts the thread of a run's workflows, runs `use` beside it, and releases the thread. The start takes as long as
 * loading all other modules. A run that another process works on needs no thread.
 *
 * @throws ConfigError CONFIG_NO_KEY, CONFIG_NO_ALERT_TARGET, and the errors of `use`
 */
export async function withWorkflowThread<T>(
  { env }: Effects,
  config: Config,
  use: (thread: WorkflowThread | undefined) => Promise<T>,
): Promise<T> {
  requireKeys(config)
  requireAlerts(config)
  if (livingWorker(config.warehouseDir) !== null) return use(undefined)
  const { startWorkflowThread } = await import('../../engine/workflow-thread.ts')
  const thread = startWorkflowThread(workflowBundle({ env }))
  try {
    return await use(thread)
  } finally {
    await thread.release()
  }
}
