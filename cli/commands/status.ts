import { setTimeout as wait } from 'node:timers/promises'
import { EXIT } from '../../config/coinlake-error.ts'
import type { CliCommand } from '../command.ts'
import { say } from '../effects.ts'
import { progressLine } from '../render/progress-line.ts'
import { reportText } from '../render/report-text.ts'
import { addConfigOption } from './config-options.ts'

/** How long a worker may take to answer before the run is shown as one without a worker. */
const ANSWER_MS = 3_000
const WATCH_EVERY_MS = 1_000

/** What is running, done and left: the open run if there is one, else the last run's report. */
export const status: CliCommand = {
  name: 'status',
  group: 'Look',
  summary: 'what is running, done and left; calls used; time left',
  examples: [
    { command: 'coinlake status', does: 'one look at the open run, or the last one' },
    { command: 'coinlake status --watch', does: 'looks every second until the run ends' },
  ],
  configure(command) {
    addConfigOption(command)
      .option('--watch', 'look again every second until the run ends')
      .option('--json', 'print as JSON, one document a look')
  },
  async run(effects, _args, options) {
    const { loadCliConfig } = await import('../run/load-cli-config.ts')
    const { connectClient } = await import('../run/connect-client.ts')
    const { askProgress, findOpenRun } = await import('../run/open-run.ts')
    const { lastReport } = await import('../run/last-report.ts')
    const { stopSignal } = await import('../run/stop-signal.ts')
    const { warehouseId, warehousePaths } = await import('../../config/warehouse-paths.ts')
    const config = loadCliConfig(effects, options)
    const isJson = options['json'] === true
    const { client, close } = await connectClient(effects)
    try {
      const stop = stopSignal(effects)
      for (;;) {
        const open = await findOpenRun(client, warehouseId(config.warehouseDir))
        if (open === null) break
        const progress = await askProgress(open, ANSWER_MS)
        if (isJson) {
          const look = progress ?? { runId: open.runId, orderId: open.orderId, phase: 'no worker' }
          effects.stdout.write(`${JSON.stringify(look)}\n`)
        } else if (progress === null) {
          effects.stdout.write(
            `run ${open.runId} is open, but no worker answers: start \`coinlake worker\` or run the same backfill again\n`,
          )
        } else {
          effects.stdout.write(`run ${open.runId}: ${progressLine(progress, Date.now())}\n`)
        }
        if (options['watch'] !== true || stop.aborted) return EXIT.complete
        await wait(WATCH_EVERY_MS, undefined, { signal: stop }).catch(() => undefined)
      }
      const report = await lastReport(warehousePaths(config.warehouseDir).runsDir)
      if (report === null) {
        if (isJson) effects.stdout.write('null\n')
        say(effects, 'no run yet: start with `coinlake plan`, then `coinlake backfill`')
      } else if (isJson) {
        effects.stdout.write(`${JSON.stringify(report)}\n`)
      } else {
        effects.stdout.write(`${reportText(report).join('\n')}\n`)
      }
      return EXIT.complete
    } finally {
      await close()
    }
  },
}
