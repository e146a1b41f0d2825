import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Worker as Thread } from 'node:worker_threads'
import type { CompiledWorkerOptions, Worker } from '@temporalio/worker'
import type { WorkflowCreator } from '@temporalio/worker/lib/workflow/interface.js'
import type { WorkflowBundleWithSourceMapAndFilename } from '@temporalio/worker/lib/workflow/workflow-worker-thread/input.js'
import { EMPTY_SOURCE_MAP } from './workflow-bundle.ts'

/** One thread that runs the workflows of all workers of a process. */
export interface WorkflowThread {
  /** A class of workers whose workflows run in the thread. */
  Worker: Promise<typeof Worker>
  /** Gives the thread up. The thread ends with its last worker. */
  release(): Promise<void>
}

/** The SDK's own limit for one step of a workflow. */
const LONGEST_STEP_MS = 5_000
/** The code of the SDK's workflow threads. bin/bundle.mjs also puts that code into dist/bundle/. */
const THREAD_MODULE = '@temporalio/worker/lib/workflow/workflow-worker-thread.js'

/**
 * Starts one thread for the workflows of all workers. The SDK would give each worker a thread of 50 MB. The thread starts
 * before this process loads the SDK. Both load for a third of a second, at the same time.
 */
export function startWorkflowThread(
  bundle: { codePath: string } | Promise<{ codePath: string }>,
): WorkflowThread {
  const thread = new Thread(createRequire(import.meta.url).resolve(THREAD_MODULE))
  let users = 1
  const creator = Promise.race([adopt(thread, bundle), failureOf(thread)])
  // The first worker that needs the thread reports a failed start.
  creator.catch(() => undefined)

  async function release(): Promise<void> {
    users -= 1
    if (users > 0) return
    const adopted = await creator.catch(() => null)
    await (adopted === null ? thread.terminate() : adopted.workflows.destroy())
  }

  async function sharingWorker(): Promise<typeof Worker> {
    const sdk = await import('@temporalio/worker')
    return class SharingWorker extends sdk.Worker {
      protected static override async getOrCreateBundle({
        workflowBundle,
      }: CompiledWorkerOptions): Promise<WorkflowBundleWithSourceMapAndFilename | undefined> {
        return workflowBundle === undefined ? undefined : (await creator).code
      }

      protected static override async createWorkflowCreator(): Promise<WorkflowCreator> {
        const { workflows } = await creator
        users += 1
        return { createWorkflow: (options) => workflows.createWorkflow(options), destroy: release }
      }
    }
  }
  const sharing = sharingWorker()
  // The first worker reports an SDK that cannot be loaded, too.
  sharing.catch(() => undefined)
  return { Worker: sharing, release }
}

/** Hands a started thread and the workflows' code to the SDK. */
async function adopt(
  thread: Thread,
  bundle: { codePath: string } | Promise<{ codePath: string }>,
): Promise<{ workflows: WorkflowCreator; code: WorkflowBundleWithSourceMapAndFilename }> {
  const { codePath } = await bundle
  const source = await readFile(codePath, 'utf8')
  const { DefaultLogger } = await import('@temporalio/worker')
  const { ThreadedVMWorkflowCreator, WorkerThreadClient } =
    await import('@temporalio/worker/lib/workflow/threaded-vm.js')
  // The SDK's own reader would run the code once in this thread, for debuggers, which takes 50 ms of each start.
  const code = { code: source, sourceMap: EMPTY_SOURCE_MAP, filename: codePath }
  const client = new WorkerThreadClient(thread, new DefaultLogger('ERROR'))
  await client.send({
    type: 'init',
    workflowBundle: code,
    isolateExecutionTimeoutMs: LONGEST_STEP_MS,
    reuseV8Context: true,
    registeredActivityNames: new Set(),
    hasPatchActivationCallback: false,
  })
  return { workflows: new ThreadedVMWorkflowCreator([client]), code }
}

/** Rejects when the thread fails. The SDK's client would miss a failure before it listens. */
async function failureOf(thread: Thread): Promise<never> {
  const [error] = await once(thread, 'error').catch((error: unknown) => [error])
  throw error
}
