import { readFile } from 'node:fs/promises'
import { DefaultLogger, Worker } from '@temporalio/worker'
import type { CompiledWorkerOptions } from '@temporalio/worker'
import type { WorkflowCreator } from '@temporalio/worker/lib/workflow/interface.js'
import { ThreadedVMWorkflowCreator } from '@temporalio/worker/lib/workflow/threaded-vm.js'
import type { WorkflowBundleWithSourceMapAndFilename } from '@temporalio/worker/lib/workflow/workflow-worker-thread/input.js'
import { parseWorkflowCode } from '@temporalio/worker/lib/worker.js'

/** One thread that runs the workflows of all workers of a process. */
export interface WorkflowThread {
  /** A class of workers whose workflows run in the thread. */
  Worker: typeof Worker
  /** Gives the thread up. The thread ends with its last worker. */
  release(): Promise<void>
}

/** The SDK's own limit for one step of a workflow. */
const LONGEST_STEP_MS = 5_000

/**
 * Starts one thread for the workflows of all workers. The SDK would give each worker a thread of 50 MB. The start takes
 * a third of a second of CPU, so callers may begin it before the server is up.
 */
export function startWorkflowThread(
  bundle: { codePath: string } | Promise<{ codePath: string }>,
): WorkflowThread {
  let users = 1
  const parsed = Promise.resolve(bundle).then(async ({ codePath }) =>
    parseWorkflowCode(await readFile(codePath, 'utf8'), codePath),
  )
  const started = parsed.then((workflowBundle) =>
    ThreadedVMWorkflowCreator.create({
      workflowBundle,
      threadPoolSize: 1,
      isolateExecutionTimeoutMs: LONGEST_STEP_MS,
      reuseV8Context: true,
      registeredActivityNames: new Set(),
      logger: new DefaultLogger('ERROR'),
    }),
  )
  // The first worker that needs the thread reports a failed start.
  started.catch(() => undefined)

  async function release(): Promise<void> {
    users -= 1
    if (users === 0) await (await started.catch(() => null))?.destroy()
  }

  class SharingWorker extends Worker {
    protected static override async getOrCreateBundle({
      workflowBundle,
    }: CompiledWorkerOptions): Promise<WorkflowBundleWithSourceMapAndFilename | undefined> {
      return workflowBundle === undefined ? undefined : parsed
    }

    protected static override async createWorkflowCreator(): Promise<WorkflowCreator> {
      const thread = await started
      users += 1
      return { createWorkflow: (workflow) => thread.createWorkflow(workflow), destroy: release }
    }
  }
  return { Worker: SharingWorker, release }
}
