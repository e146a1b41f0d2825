import { Client, Connection } from '@temporalio/client'
import { expect, inject, onTestFinished, test } from 'vitest'
import { loadCliConfig } from '../../../cli/run/load-cli-config.ts'
import { frozenClock } from '../../../config/clock.ts'
import { warehouseIdOf } from '../../../config/warehouse-paths.ts'
import { exportWorkflowId, noTotals, PROGRESS_MEMO } from '../../../workflows/messages.ts'
import { PREPARED_NOW_MS, preparedWarehouse } from '../../parts/prepared-warehouse.ts'
import { runCaptured } from '../../parts/run-captured.ts'
import { silentEffects } from '../../parts/silent-effects.ts'

test('status shows a paused run whose queue no worker polls as one without a worker', async () => {
  const { dir } = await preparedWarehouse(['duckdb'])
  const { address, namespace } = inject('temporal')
  const connection = await Connection.connect({ address })
  onTestFinished(() => connection.close())
  const clock = frozenClock(PREPARED_NOW_MS)
  const config = loadCliConfig(silentEffects({ env: {}, cwd: dir, clock }), {})
  const progress = { ...noTotals, runId: 'r2', orderId: 'order', phase: 'fetching', paused: true }
  const run = await new Client({ connection, namespace }).workflow.start('exportWarehouse', {
    workflowId: exportWorkflowId(warehouseIdOf(config)),
    taskQueue: 'nobody',
    // Without a task that a worker owes, as of a paused run.
    startDelay: '1 hour',
    memo: { runId: 'r2', orderId: 'order', workflowsId: 'f00d', [PROGRESS_MEMO]: progress },
  })
  onTestFinished(() => run.terminate().then(() => undefined))
  const env = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace }
  const looked = await runCaptured(['status', '--check'], { cwd: dir, env, clock })
  expect(looked.stdout).toContain('run r2: open, but no worker works on it')
  expect(looked.exitCode).toBe(3)
})
