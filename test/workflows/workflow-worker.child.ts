import { connectEngine } from '../../engine/connect.ts'
import { workflowBundle } from '../../engine/workflow-bundle.ts'
import { startWorkers } from '../../engine/workers.ts'

/** A process with the workflows of one queue, to be killed: <address> <queue> <lostAfterMs>. */
const [, , address, workflows = '', lostAfterMs] = process.argv
const engine = await connectEngine({ env: { TEMPORAL_ADDRESS: address } })
await startWorkers({
  nativeConnection: await engine.connectNative(() => undefined),
  namespace: engine.namespace,
  queues: { workflows, fetch: '', load: '' },
  roles: ['workflows'],
  activities: {},
  maxBatches: 1,
  lostAfterMs: Number(lostAfterMs),
  workflowBundle: await workflowBundle({ env: process.env }),
})
process.stdout.write('polls\n')
