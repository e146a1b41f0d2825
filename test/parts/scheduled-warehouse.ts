import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ScheduleHandle, ScheduleOverlapPolicy } from '@temporalio/client'
import { pino } from 'pino'
import { expect, inject, onTestFinished } from 'vitest'
import { connectClient } from '../../cli/run/connect-client.ts'
import { hostWorkers } from '../../cli/run/host-workers.ts'
import { loadCliConfig } from '../../cli/run/load-cli-config.ts'
import { openWarehouse } from '../../cli/run/open-warehouse.ts'
import type { Clock } from '../../config/clock.ts'
import { warehouseId, warehousePaths } from '../../config/warehouse-paths.ts'
import { queueNames } from '../../engine/queues.ts'
import { moveSchedules } from '../../engine/schedules/move-schedules.ts'
import { workflowsId } from '../../engine/workflow-bundle.ts'
import { beginMissedWindow } from '../../engine/schedules/missed-window.ts'
import { scheduleId } from '../../workflows/sync-messages.ts'
import { type CliProcess, startCli } from './cli-process.ts'
import { type Captured, runCaptured } from './run-captured.ts'
import { silentEffects } from './silent-effects.ts'
import { tempDir } from './temp-dir.ts'
import { temporalClient } from './temporal-client.ts'

const HOUR_MS = 3_600_000

/** A warehouse with schedules, and a worker that can be stopped and begun again. */
export interface Scheduled {
  handle(name: string): ScheduleHandle
  missed(name: string, nowMs: number): Promise<number | null>
  /** @param more environment of this worker alone */
  startWorker(more?: Record<string, string>): Promise<() => Promise<void>>
  /** Begins a worker of another build as a process, at the time as it is now. @param program its `bin/coinlake.js` */
  startOther(program: string, more?: Record<string, string>): Promise<CliProcess>
  run(...words: string[]): Promise<Captured>
  paths: ReturnType<typeof warehousePaths>
}

/** Opens one of this configuration and applies its schedules. */
export async function openScheduled(
  yaml: string,
  clock: Clock,
  dir: string = tempDir(),
  keys: Record<string, string> = {},
): Promise<Scheduled> {
  writeFileSync(join(dir, 'coinlake.yaml'), yaml)
  const { address, namespace } = inject('temporal')
  const env = { ...process.env, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, ...keys }
  const effects = silentEffects({ env, cwd: dir, clock })
  const config = loadCliConfig(effects, {})
  const warehouse = warehouseId(config.warehouseDir)
  const client = await temporalClient()
  const run = (...words: string[]) => runCaptured(words, { env, cwd: dir, clock })
  expect(await run('schedule', 'apply')).toMatchObject({ exitCode: 0 })
  // The server's own clock must not begin windows of today; those begun on purpose are not held up.
  await run('schedule', 'pause', '--all')
  onTestFinished(async () => {
    await run('schedule', 'delete', '--all')
  })
  const handle = (name: string): ScheduleHandle =>
    client.schedule.getHandle(scheduleId(warehouse, name))
  return {
    handle,
    missed: async (name, nowMs) => {
      await handle(name).unpause()
      const windowMs = await untilBegun(handle(name), async () =>
        beginMissedWindow(client, await handle(name).describe(), 24 * HOUR_MS, nowMs),
      )
      await handle(name).pause()
      return windowMs
    },
    async startWorker(more = {}) {
      const config = loadCliConfig({ ...effects, env: { ...env, ...more } }, {})
      const store = await openWarehouse(config, clock, () => undefined)
      const connected = await connectClient(effects)
      const here = { ...effects, env: { ...env, ...more } }
      const hosted = await hostWorkers(here, {
        config,
        ...connected,
        warehouse: store,
        log: pino({ level: 'silent' }),
        say: () => undefined,
      })
      hosted.workers.run.catch(() => undefined)
      // As the command does: another build may have taken them to its queues.
      await moveSchedules(
        client,
        warehouse,
        queueNames({ warehouseId: warehouse, workflowsId: workflowsId() }),
      )
      return async () => {
        await hosted.close()
        await connected.close()
        await store.close()
      }
    },
    async startOther(program, more = {}) {
      const COINLAKE_NOW = new Date(clock.nowMs()).toISOString()
      const temporal = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace }
      const worker = startCli(['worker'], {
        cwd: dir,
        env: { ...temporal, ...keys, ...more, COINLAKE_NOW },
        program,
      })
      onTestFinished(() => worker.kill('SIGKILL'))
      await worker.says('working on')
      return worker
    },
    run,
    paths: warehousePaths(config.warehouseDir),
  }
}

/** Begins the windows due in [fromMs, toMs]. */
export async function begin(handle: ScheduleHandle, fromMs: number, toMs: number): Promise<void> {
  const overlap = ScheduleOverlapPolicy.BUFFER_ALL
  await untilBegun(handle, () =>
    handle.backfill({ start: new Date(fromMs), end: new Date(toMs), overlap }),
  )
}

/** The server begins what it was told to a moment later. */
async function untilBegun<T>(handle: ScheduleHandle, order: () => Promise<T>): Promise<T> {
  const taken = async (): Promise<number> => (await handle.describe()).info.numActionsTaken
  const before = await taken()
  const ordered = await order()
  await expect.poll(taken, { timeout: 120_000 }).toBeGreaterThan(before)
  return ordered
}

/** A window behind a source that is down takes half a minute, on a machine with other work several. */
const IDLE_WITHIN_MS = 300_000

/** Waits until the windows that were begun are over. */
export async function untilIdle(handle: ScheduleHandle): Promise<void> {
  const isIdle = async (): Promise<boolean> => {
    const { raw, info } = await handle.describe()
    return info.runningActions.length === 0 && Number(raw.info?.bufferSize ?? 0) === 0
  }
  // Between the end of one and the start of the next the server may have none running.
  for (let idle = 0; idle < 2; idle += 1) {
    await expect.poll(isIdle, { timeout: IDLE_WITHIN_MS, interval: 200 }).toBe(true)
  }
}
