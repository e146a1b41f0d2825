import { once } from 'node:events'
import type { Client } from '@temporalio/client'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { requireAlerts } from '../../config/require-alerts.ts'
import { requireKeys } from '../../config/require-key.ts'
import { warehouseIdOf } from '../../config/warehouse-paths.ts'
import { queueNames } from '../../engine/queues.ts'
import { beginMissedWindow } from '../../engine/schedules/missed-window.ts'
import { moveSchedules } from '../../engine/schedules/move-schedules.ts'
import { watchSchedules } from '../../engine/schedules/watch-schedules.ts'
import { workflowsId } from '../../engine/workflow-bundle.ts'
import { exportWorkflowId } from '../../workflows/messages.ts'
import { syncExportId } from '../../workflows/sync-messages.ts'
import { say, type Effects } from '../effects.ts'
import { utcMinute } from '../render/utc-text.ts'
import { differenceLines, scheduleRows } from '../schedule/schedule-rows.ts'
import { writeScheduleOrder } from '../schedule/wanted-schedules.ts'
import { closingAfter } from './closing-after.ts'
import { connectClient } from './connect-client.ts'
import { hostWorkers } from './host-workers.ts'
import { openWarehouse } from './open-warehouse.ts'
import { openRunLog } from './run-log.ts'
import { retireForeignRun } from './start-run.ts'
import { stopSignal } from './stop-signal.ts'
import { claimWarehouse } from './worker-claim.ts'

/** The parts of a worker that is being started. */
interface StartingWorker {
  effects: Effects
  config: Config
  client: Client
  log: Logger
  /** Prints a line, or logs it when the log goes to the screen. */
  tell: (text: string) => void
}

/**
 * Works on a warehouse until a signal: its schedules, and the runs that other processes hand over.
 *
 * @throws ConfigError CONFIG_NO_KEY, CONFIG_NO_ALERT_TARGET; SinkError; EngineError
 */
export async function runWorker(effects: Effects, config: Config): Promise<void> {
  // First of all, because a worker without a key can do nothing.
  requireKeys(config)
  requireAlerts(config)
  const stop = stopSignal(effects, () => say(effects, 'stopping after the current write'))
  await closingAfter(async (defer) => {
    defer(() => (stop.aborted ? say(effects, 'stopped') : undefined))
    const warehouse = await openWarehouse(config, effects.clock, (text) => say(effects, text))
    defer(warehouse.close)
    defer(await claimWarehouse(config))
    const log = openRunLog(warehouse.paths.logsDir, config.log, effects.stderr)
    const isJsonLog = config.log.format === 'json'
    const tell = (text: string): void => (isJsonLog ? log.info(text) : say(effects, text))
    const { client, engine, close } = await connectClient(effects)
    defer(close)
    const worker = { effects, config, client, log, tell }
    await endForeignRuns(worker)
    const takingUp = (name: string, windowMs: number): void =>
      tell(`${name}: taking up the window of ${new Date(windowMs).toISOString()}`)
    await takeSchedules(worker, takingUp)
    const hosted = await hostWorkers(effects, {
      config,
      client,
      engine,
      warehouse,
      log,
      say: tell,
      // The JSON log has these events with all their facts.
      ...(isJsonLog ? {} : { tellRun: (line: string) => say(effects, line) }),
    })
    defer(hosted.close)
    tell(`working on ${warehouse.paths.root}, ${engine.describe()}; Ctrl-C stops`)
    await tellSchedules(worker)
    const ended = new AbortController()
    const watching = watchSchedules(
      {
        client,
        warehouseId: warehouseIdOf(config),
        schedules: Object.values(config.schedules),
        onMissed: takingUp,
        onGone: async (name) => {
          tell(
            `warning: schedule ${name} is not on the server any more, nothing begins its windows: run \`coinlake schedule apply\``,
          )
          await hosted.alertScheduleGone(name)
        },
        onFault: (error) => warnOfSchedules(log, error),
      },
      AbortSignal.any([stop, ended.signal]),
    )
    defer(async () => {
      ended.abort()
      await watching
    })
    const stopped = stop.aborted ? Promise.resolve() : once(stop, 'abort')
    await Promise.race([stopped, hosted.workers.run])
  })
}

/** Ends an open run and open windows that other workflow code has begun. Writes the orders of the schedules. */
async function endForeignRuns({ effects, config, client, log, tell }: StartingWorker) {
  const warehouseId = warehouseIdOf(config)
  const ownId = workflowsId()
  if (await retireForeignRun(client, exportWorkflowId(warehouseId), ownId)) {
    tell('ended a run that a coinlake with other workflow code had begun: start it again')
  }
  for (const [name, schedule] of Object.entries(config.schedules)) {
    // A restored warehouse lacks the files of its orders.
    await writeScheduleOrder(effects, config, schedule).catch((error: unknown) =>
      log.warn({ error: String(error) }, `the order of ${name} cannot be written`),
    )
    if (await retireForeignRun(client, syncExportId(warehouseId, name), ownId)) {
      tell(
        `ended a window of ${name} that a coinlake with other workflow code had begun: the next window fetches its data`,
      )
    }
  }
}

/** Moves schedules of another coinlake to the queues of this one, and begins a window that they missed. */
async function takeSchedules(
  { config, client, tell }: StartingWorker,
  takingUp: (name: string, windowMs: number) => void,
): Promise<void> {
  const warehouseId = warehouseIdOf(config)
  const queues = queueNames({ warehouseId, workflowsId: workflowsId() })
  for (const { name, before } of await moveSchedules(client, warehouseId, queues)) {
    tell(`${name}: another coinlake had applied it; its windows come here from now on`)
    const catchUpMs = config.schedules[name]?.catchUpMs ?? 0
    const windowMs = await beginMissedWindow(client, before, catchUpMs, Date.now())
    if (windowMs !== null) takingUp(name, windowMs)
  }
}

/** Tells the next window of each schedule that the server has applied, because the file may differ. */
async function tellSchedules({ client, config, log, tell }: StartingWorker): Promise<void> {
  try {
    const schedules = await scheduleRows(client, config)
    for (const { name, next } of schedules) {
      if (next !== null) tell(`schedule ${name}: the next window is at ${utcMinute(next)}`)
    }
    for (const line of differenceLines(schedules)) {
      tell(`schedule ${line}: run \`coinlake schedule apply\``)
    }
  } catch (error) {
    warnOfSchedules(log, error)
  }
}

function warnOfSchedules(log: Logger, error: unknown): void {
  log.warn({ error: String(error) }, 'schedules cannot be looked at')
}
