import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { expect, inject, onTestFinished, test } from 'vitest'
import { loadCliConfig } from '../../../cli/run/load-cli-config.ts'
import type { WarehouseState } from '../../../cli/status/warehouse-state.ts'
import { frozenClock } from '../../../config/clock.ts'
import { warehouseIdOf } from '../../../config/warehouse-paths.ts'
import { exportWorkflowId, noTotals, PROGRESS_MEMO } from '../../../workflows/messages.ts'
import { PREPARED_NOW_MS, preparedWarehouse } from '../../parts/prepared-warehouse.ts'
import { runCaptured } from '../../parts/run-captured.ts'
import { silentEffects } from '../../parts/silent-effects.ts'
import { temporalClient } from '../../parts/temporal-client.ts'

const PAGE_BYTES = 1_234_567
/** Looks at a run are a second and more apart. */
const MOST_LOOKS = 12

interface Look extends WarehouseState {
  phase?: string
}

test('a paused run whose queue no worker polls has no worker; --watch --json looks again while it is open', async () => {
  const { dir, paths } = await preparedWarehouse(['duckdb'])
  const { address, namespace } = inject('temporal')
  const client = await temporalClient()
  const clock = frozenClock(PREPARED_NOW_MS)
  const config = loadCliConfig(silentEffects({ env: {}, cwd: dir, clock }), {})
  const progress = { ...noTotals, runId: 'r2', orderId: 'order', phase: 'fetching', paused: true }
  // Nobody works on it: what changes is in the folder alone.
  const run = await client.workflow.start('exportWarehouse', {
    workflowId: exportWorkflowId(warehouseIdOf(config)),
    taskQueue: 'nobody',
    // Without a task that a worker owes, as of a paused run.
    startDelay: '1 hour',
    memo: { runId: 'r2', orderId: 'order', workflowsId: 'f00d', [PROGRESS_MEMO]: progress },
  })
  const looks: Look[] = []
  const end = once(() => run.terminate())
  onTestFinished(() => end().then(() => undefined))
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const look = JSON.parse(chunk.toString()) as Look
      if (look.phase === 'no worker') looks.push(look)
      if (looks.length === 1) addPage(paths.stageDir)
      const isSeen = look.disk?.stageBytes === PAGE_BYTES
      if (isSeen || looks.length === MOST_LOOKS) void end()
      done()
    },
  })
  const env = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace }
  const looked = await runCaptured(['status', '--check'], { cwd: dir, env, clock })
  expect(looked.stdout).toContain('run r2: open, but no worker works on it')
  expect(looked.exitCode).toBe(3)
  // `| head -1` reads no more than its line, and ends the look.
  const closed = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) })
  await runCaptured(['status', '--watch', '--json'], { cwd: dir, env, clock, stdout: closed })
  await runCaptured(['status', '--watch', '--json'], { cwd: dir, env, clock, stdout })
  expect(looks[0]?.disk?.stageBytes).toBe(0)
  expect(looks.at(-1)?.disk?.stageBytes).toBe(PAGE_BYTES)
})

function addPage(stageDir: string): void {
  mkdirSync(stageDir, { recursive: true })
  writeFileSync(join(stageDir, 'page'), Buffer.alloc(PAGE_BYTES))
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | null = null
  return () => (done ??= work())
}
