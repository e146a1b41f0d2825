import { Argument } from 'commander'
import type { CliCommand } from '../command.ts'
import { checkUsage, SCHEDULE_ACTIONS, type ScheduleAction } from '../schedule/check-usage.ts'
import { printResult, say, type Effects } from '../effects.ts'
import { addConfigOption, configOf } from './config-options.ts'
import { textOption } from '../run/choice-flags.ts'
import { withOpen } from '../run/closing-after.ts'

export const schedule: CliCommand = {
  name: 'schedule',
  group: 'Run',
  summary: `bring the warehouse up to date at set times: ${SCHEDULE_ACTIONS.join(', ')}`,
  examples: {
    'coinlake schedule apply':
      "makes the server's schedules equal to coinlake.yaml; `coinlake worker` runs them",
    'coinlake schedule list': 'next and last window of each, with its verdict',
    'coinlake schedule pause hourly --note "key is being changed"':
      'none of its windows begins until `schedule resume hourly`',
    'coinlake schedule backfill hourly --from 2026-01-01 --to 2026-01-02':
      'runs the windows of that day again, one after the other',
  },
  configure(command) {
    command
      .addArgument(new Argument('<action>', 'the action').choices(SCHEDULE_ACTIONS))
      .argument('[name]', 'the schedule; `apply` and `list` take all')
    addConfigOption(command)
      .option('--replace', 'apply: take over schedules that another configuration applied')
      .option('--all', 'pause, resume, trigger, backfill, delete: all schedules of the warehouse')
      .option('--note <text>', 'pause, resume: the reason, which `list` shows')
      .option('--from <date>', 'backfill: windows due at or after this time')
      .option('--to <date>', 'backfill: windows due before this time')
      .option('--json', 'print as JSON')
  },
  async run(effects, [word = 'list', name], options) {
    const action = word as ScheduleAction
    checkUsage(action, name, options)
    const { connectClient } = await import('../run/connect-client.ts')
    const config = await configOf(effects, options)
    const { livingWorker } = await import('../run/worker-claim.ts')
    const worker = livingWorker(config.warehouseDir)
    await withOpen(connectClient(effects), async ({ client }) => {
      if (action === 'list') {
        const { scheduleLines, scheduleRows } = await import('../schedule/schedule-rows.ts')
        const rows = await scheduleRows(client, config)
        printResult(effects, options, rows, () => scheduleLines(rows))
        if (rows.some(({ state }) => state === 'on')) sayWithoutWorker(effects, worker)
        return
      }
      if (action === 'apply') {
        const { warehouseIdOf } = await import('../../config/warehouse-paths.ts')
        const { applySchedules } = await import('../../engine/schedules/apply-schedules.ts')
        const { wantedSchedules } = await import('../schedule/wanted-schedules.ts')
        const wanted = await wantedSchedules(effects, config)
        const mayReplace = options['replace'] === true
        const id = warehouseIdOf(config)
        const changes = await applySchedules(client, id, wanted, mayReplace)
        printResult(effects, options, changes, () =>
          changes.map(({ name: one, change }) => `${change.padEnd(9)} ${one}`),
        )
        const isNew = changes.some(({ change }) => change === 'created' || change === 'updated')
        if (isNew) sayWithoutWorker(effects, worker)
        if (isNew && worker !== null)
          say(
            effects,
            `the worker (process ${worker.pid}) fetches by this file now; restart it to apply freshness, alerts and metrics too`,
          )
        return
      }
      const { steerSchedules } = await import('../schedule/steer-schedules.ts')
      const steered = await steerSchedules(client, config, {
        action,
        name: name ?? null,
        note: textOption(options, 'note') ?? '',
        from: options['from'],
        to: options['to'],
      })
      printResult(effects, options, steered, () =>
        steered.map(({ name: one, done }) => `${one}: ${done}`),
      )
      if (action !== 'pause' && action !== 'delete') sayWithoutWorker(effects, worker)
    })
  },
}

function sayWithoutWorker(effects: Effects, worker: object | null): void {
  if (worker !== null) return
  say(effects, 'no worker runs here for this warehouse: windows wait for `coinlake worker`')
}
