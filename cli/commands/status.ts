import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { EXIT } from '../../config/coinlake-error.ts'
import type { Config } from '../../config/config.ts'
import type { CliCommand } from '../command.ts'
import type { Effects } from '../effects.ts'
import { say } from '../effects.ts'
import { brokenOffText } from '../render/broken-off-text.ts'
import { monthText } from '../render/month-text.ts'
import { createPaceStart, progressLine, progressLines } from '../render/progress-line.ts'
import { reportText } from '../render/report-text.ts'
import { addConfigOption } from './config-options.ts'

/** How long a worker may take to answer before the run is shown as one without a worker. */
const ANSWER_MS = 3_000
const WATCH_EVERY_MS = 1_000
/** Of a terminal that does not say how wide it is. */
const USUAL_COLUMNS = 80
const NO_WORKER =
  'open, but no worker answers: start `coinlake worker` or run the same backfill again'

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
    const { findClient } = await import('../run/connect-client.ts')
    const { stopSignal } = await import('../run/stop-signal.ts')
    const config = loadCliConfig(effects, options)
    const isJson = options['json'] === true
    const stop = stopSignal(effects)
    const connected = await findClient(effects)
    if (connected !== null) {
      try {
        const isWatching = options['watch'] === true
        const isOpen = await showOpenRun(
          effects,
          connected.client,
          config,
          { isJson, isWatching },
          stop,
        )
        if (isOpen && !isJson) await showMonths(effects, config)
        if (isOpen) return stop.aborted ? EXIT.interrupted : EXIT.complete
      } finally {
        await connected.close()
      }
    }
    await showLastRun(effects, config, isJson)
    if (!isJson) await showMonths(effects, config)
    return EXIT.complete
  },
}

/** Shows the open run, while watching until it ends. @returns whether there still is one. */
async function showOpenRun(
  effects: Effects,
  client: Client,
  config: Config,
  { isJson, isWatching }: { isJson: boolean; isWatching: boolean },
  stop: AbortSignal,
): Promise<boolean> {
  const { askProgress, findOpenRuns } = await import('../run/open-run.ts')
  const { keyMonths } = await import('../run/key-months.ts')
  const print = (line: string): void => void effects.stdout.write(`${line}\n`)
  const moving = isWatching && !isJson ? await movingLines(effects) : null
  const paceStart = createPaceStart()
  for (;;) {
    const [open, ...others] = await findOpenRuns(client, config)
    if (open === undefined) return false
    const progress = await askProgress(open, ANSWER_MS)
    const { runId, orderId, schedule } = open
    if (isJson) {
      const look = { ...(progress ?? { runId, orderId, phase: 'no worker' }), schedule }
      print(JSON.stringify({ ...look, months: await keyMonths(config) }))
    } else {
      const nowMs = Date.now()
      // A single look knows no other pace than that of the whole run.
      const since = progress === null || !isWatching ? undefined : paceStart(progress, nowMs)
      if (moving !== null && progress !== null) {
        const lines = progressLines(progress, nowMs, moving.columns(), since)
        moving.show([`run ${runId}`, ...lines].join('\n'))
      } else {
        const show = moving?.show ?? print
        const text = progress === null ? NO_WORKER : progressLine(progress, nowMs, since)
        show(`run ${runId}${ofSchedule(schedule)}: ${text}`)
      }
    }
    if (!isWatching && !isJson) {
      for (const other of others)
        print(`also open: run ${other.runId}${ofSchedule(other.schedule)}`)
    }
    if (!isWatching || stop.aborted) return true
    await wait(WATCH_EVERY_MS, undefined, { signal: stop }).catch(() => undefined)
  }
}

function ofSchedule(schedule: string | null): string {
  return schedule === null ? '' : ` (schedule ${schedule})`
}

/** The months of the keys, where they have a ceiling. */
async function showMonths(effects: Effects, config: Config): Promise<void> {
  const { keyMonths } = await import('../run/key-months.ts')
  const months = await keyMonths(config)
  for (const { keyId, used, ceiling, reserve } of months) {
    if (ceiling === null) continue
    const whose = months.length === 1 ? '' : ` of key ${keyId}`
    effects.stdout.write(`month${whose}: ${monthText({ used, ceiling, reserve: reserve ?? 0 })}\n`)
  }
}

/** On a terminal what is shown changes in its place; null where every look is a line of its own. */
async function movingLines({ isLive, isTable, stdout }: Effects) {
  if (!isLive || !isTable || stdout !== process.stdout) return null
  const { createLogUpdate } = await import('log-update')
  const show: (text: string) => void = createLogUpdate(process.stdout, { showCursor: true })
  return { show, columns: () => process.stdout.columns || USUAL_COLUMNS }
}

/** What is known without a server: the run that was broken off, else the report of the last one. */
async function showLastRun(effects: Effects, config: Config, isJson: boolean): Promise<void> {
  const { brokenOffRun } = await import('../run/begun-run.ts')
  const { lastReport } = await import('../run/last-report.ts')
  const { warehousePaths } = await import('../../config/warehouse-paths.ts')
  const paths = warehousePaths(config.warehouseDir)
  const broken = brokenOffRun(paths)
  const report = broken === null ? await lastReport(paths.runsDir) : null
  if (isJson) {
    const { keyMonths } = await import('../run/key-months.ts')
    const shown = broken === null ? report : { ...broken, phase: 'broken off' }
    effects.stdout.write(`${JSON.stringify({ ...shown, months: await keyMonths(config) })}\n`)
  } else if (broken !== null) {
    effects.stdout.write(`${brokenOffText(broken)}\n`)
  } else if (report !== null) {
    effects.stdout.write(`${reportText(report).join('\n')}\n`)
  }
  if (broken === null && report === null) {
    say(
      effects,
      `no run has ended in ${paths.root} yet: start with \`coinlake plan\`, then \`coinlake backfill\``,
    )
  }
}
