import { once } from 'node:events'
import type { CliCommand } from '../command.ts'
import { say } from '../effects.ts'
import { addConfigOption, addLogOption, configOf } from './config-options.ts'

export const worker: CliCommand = {
  name: 'worker',
  group: 'Serve',
  summary:
    'work on this warehouse until stopped: its schedules, and the runs that `backfill` hands over',
  examples: {
    'coinlake worker': 'works for ./coinlake.yaml until Ctrl-C',
    'TEMPORAL_ADDRESS=temporal:7233 coinlake worker -c prod.yaml':
      'works for a cluster instead of a server of its own',
  },
  configure(command) {
    addLogOption(addConfigOption(command))
  },
  async run(effects, _args, options) {
    const { closingAfter } = await import('../run/closing-after.ts')
    const { stopSignal } = await import('../run/stop-signal.ts')
    const { openWarehouse } = await import('../run/open-warehouse.ts')
    const { connectClient } = await import('../run/connect-client.ts')
    const { hostWorkers } = await import('../run/host-workers.ts')
    const { queueNames } = await import('../../engine/queues.ts')
    const { workflowsId } = await import('../../engine/workflow-bundle.ts')
    const { moveSchedules } = await import('../../engine/schedules/move-schedules.ts')
    const { beginMissedWindow } = await import('../../engine/schedules/missed-window.ts')
    const { claimWarehouse } = await import('../run/worker-claim.ts')
    const { retireForeignRun } = await import('../run/start-run.ts')
    const { warehouseIdOf } = await import('../../config/warehouse-paths.ts')
    const { exportWorkflowId } = await import('../../workflows/messages.ts')
    const { syncExportId } = await import('../../workflows/sync-messages.ts')
    const { openRunLog } = await import('../run/run-log.ts')
    const { watchSchedules } = await import('../../engine/schedules/watch-schedules.ts')
    const { utcMinute } = await import('../render/utc-text.ts')
    const { writeScheduleOrder } = await import('../schedule/wanted-schedules.ts')
    const { leftOverLines, scheduleRows } = await import('../schedule/schedule-rows.ts')
    const { requireKeys } = await import('../../config/require-key.ts')
    const { requireAlerts } = await import('../../config/require-alerts.ts')
    const config = await configOf(effects, options)
    // First of all, because a worker without a key can do nothing.
    requireKeys(config)
    requireAlerts(config)
    const stop = stopSignal(effects, () => say(effects, 'stopping after the current write'))
    return closingAfter(async (defer) => {
      defer(() => (stop.aborted ? say(effects, 'stopped') : undefined))
      const warehouse = await openWarehouse(config, effects.clock, (text) => say(effects, text))
      defer(warehouse.close)
      const ownWorkflowsId = workflowsId()
      defer(await claimWarehouse(config))
      const log = openRunLog(warehouse.paths.logsDir, config.log, effects.stderr)
      const tell = (text: string): void => {
        if (config.log.format === 'json') log.info(text)
        else say(effects, text)
      }
      const { client, engine, close } = await connectClient(effects)
      defer(close)
      const ownId = warehouseIdOf(config)
      if (await retireForeignRun(client, exportWorkflowId(ownId), ownWorkflowsId)) {
        tell('ended a run that a coinlake with other workflow code had begun: start it again')
      }
      for (const [name, schedule] of Object.entries(config.schedules)) {
        // A restored warehouse lacks the files of its orders.
        await writeScheduleOrder(effects, config, schedule).catch((error: unknown) =>
          log.warn({ error: String(error) }, `the order of ${name} cannot be written`),
        )
        if (await retireForeignRun(client, syncExportId(ownId, name), ownWorkflowsId)) {
          tell(
            `ended a window of ${name} that a coinlake with other workflow code had begun: the next window fetches its data`,
          )
        }
      }
      const queues = queueNames({ warehouseId: ownId, workflowsId: ownWorkflowsId })
      const takingUp = (name: string, windowMs: number): void =>
        tell(`${name}: taking up the window of ${new Date(windowMs).toISOString()}`)
      for (const { name, before } of await moveSchedules(client, ownId, queues)) {
        tell(`${name}: another coinlake had applied it; its windows come here from now on`)
        const catchUpMs = config.schedules[name]?.catchUpMs ?? 0
        const windowMs = await beginMissedWindow(client, before, catchUpMs, Date.now())
        if (windowMs !== null) takingUp(name, windowMs)
      }
      const parts = { config, client, engine, warehouse, log, say: tell }
      const hosted = await hostWorkers(effects, {
        ...parts,
        // The JSON log has these events with all their facts.
        ...(config.log.format === 'json' ? {} : { tellRun: (line: string) => say(effects, line) }),
      })
      defer(hosted.close)
      tell(`working on ${warehouse.paths.root}, ${engine.describe()}; Ctrl-C stops`)
      // Lists what the server has applied, because the file may differ.
      try {
        const schedules = await scheduleRows(client, config)
        for (const { name, next } of schedules) {
          if (next !== null) tell(`schedule ${name}: the next window is at ${utcMinute(next)}`)
        }
        for (const line of leftOverLines(schedules)) {
          tell(`schedule ${line}: run \`coinlake schedule apply\``)
        }
      } catch (error) {
        log.warn({ error: String(error) }, 'schedules cannot be looked at')
      }
      const ended = new AbortController()
      const watching = watchSchedules(
        {
          client,
          warehouseId: ownId,
          schedules: Object.values(config.schedules),
          onMissed: takingUp,
          onGone: async (name) => {
            tell(
              `warning: schedule ${name} is not on the server any more, nothing begins its windows: run \`coinlake schedule apply\``,
            )
            await hosted.alertScheduleGone(name)
          },
          onFault: (error) => log.warn({ error: String(error) }, 'schedules cannot be looked at'),
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
  },
}
