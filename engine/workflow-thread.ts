import { Worker } from '@temporalio/worker'
import type { CompiledWorkerOptions } from '@temporalio/worker'
import type { Logger } from '@temporalio/common'
import type { WorkflowCreator } from '@temporalio/worker/lib/workflow/interface.js'
import type { WorkflowBundleWithSourceMapAndFilename } from '@temporalio/worker/lib/workflow/workflow-worker-thread/input.js'

/**
 * A kind of worker of which all run their workflows in one thread, from one bundle. By itself the SDK gives each
 * worker a thread of its own, which takes 50 MB and a third of a second of CPU. The last worker that ends, ends it.
 */
export function sharingThread(): typeof Worker {
  let thread: Promise<WorkflowCreator> | undefined
  let users = 0
  return class extends Worker {
    protected static override async createWorkflowCreator(
      bundle: WorkflowBundleWithSourceMapAndFilename,
      options: CompiledWorkerOptions,
      logger: Logger,
    ): Promise<WorkflowCreator> {
      users += 1
      thread ??= super.createWorkflowCreator(bundle, options, logger)
      const creator = await thread
      return {
        createWorkflow: (workflow) => creator.createWorkflow(workflow),
        async destroy() {
          users -= 1
          if (users === 0) await creator.destroy()
        },
      }
    }
  }
}
