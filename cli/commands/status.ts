import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { EXIT } from '../../config/coinlake-error.ts'
import type { Config } from '../../config/config.ts'
import type { CliCommand } from '../command.ts'
import { print, printJson, say, type Effects } from '../effects.ts'
import { withOpen } from '../run/closing-after.ts'
import { progressLine, progressLines } from '../render/progress-line.ts'
import { paceFacts } from '../render/run-pace.ts'
import type { WarehouseState } from '../status/warehouse-state.ts'
import { addConfigOption, configOf } from './config-options.ts'

/** After this time without a sign the run is shown as one without a worker. */
const SIGN_MS = 3_000
const WATCH_EVERY_MS = 1_000
/** Age from which the state is read again. Reading opens a publication and counts files. */
const STATE_EVERY_MS = 5_000
const NO_WORKER =
  'open, but no worker works on it: start `coinlake worker` or run the same backfill again'

export const status: CliCommand = {
  name: 'status',
  group: 'Look',
  summary: 'show the open or last run: progress, calls, time left',
  examples: {
    'coinlake status': 'one look at the open run, or the last one',
    'coinlake status --watch': 'looks every second until the run ends',
    'coinlake status --check':
      'exit code 3 when a dataset is older than `freshness:` allows, or has no data',
  },
  configure(command) {
    addConfigOption(command)
      .option('--watch', 'look again every second until the run ends')
      .option(
        '--check',
        'exit code 3 when data are stale or missing, a publication is gone, or a run is stalled or has no worker',
      )
      .option('--json', 'print as JSON; with --watch a document each second')
  },
  async run(effects, _args, options) {
    const { findClient } = await import('../run/connect-client.ts')
    const { stopSignal } = await import('../run/stop-signal.ts')
    const config = await configOf(effects, options)
    const isJson = options['json'] === true
    const stop = stopSignal(effects)
    const { stateLines } = await import('../status/state-lines.ts')
    const { warehouseState } = await import('../status/warehouse-state.ts')
    const { failsCheck } = await import('../freshness/freshness-facts.ts')
    const isWatching = options['watch'] === true
    let state: WarehouseState | null = null
    let lookedAtMs = 0
    const readState = async (): Promise<WarehouseState> => {
      if (state === null || performance.now() - lookedAtMs >= STATE_EVERY_MS) {
        state = await warehouseState(config, effects.clock)
        lookedAtMs = performance.now()
      }
      return state
    }
    const how = { isJson, isWatching, readState }
    const run = await withOpen(findClient(effects), async (connected) => {
      const client = connected?.client ?? null
      const open = client && (await showOpenRun(effects, client, config, how, stop))
      if (open !== null) return open
      state = null
      await showLastRun(effects, config, client, isJson ? await readState() : null)
      return null
    })
    const now = await readState()
    const isCheck = options['check'] === true
    if (!isJson) print(effects, stateLines(now, isCheck))
    if (stop.aborted) return EXIT.interrupted
    const isThere = now.gone.length === 0 && now.unreadable === null
    const isMoving = run !== 'unattended' && now.stalled.length === 0
    const isFit = isThere && isMoving && !now.freshness.some(failsCheck)
    return isCheck && !isFit ? EXIT.gaps : EXIT.complete
  },
}

interface Showing {
  isJson: boolean
  isWatching: boolean
  readState: () => Promise<WarehouseState>
}

/** @returns the state of the last look; null = no run is open */
async function showOpenRun(
  effects: Effects,
  client: Client,
  config: Config,
  { isJson, isWatching, readState }: Showing,
  stop: AbortSignal,
): Promise<'unattended' | 'attended' | null> {
  const { liveLines } = await import('../render/live-lines.ts')
  const { attendedProgress, findOpenRuns } = await import('../run/open-run.ts')
  const { keyMonths, sumOfRates } = await import('../run/key-months.ts')
  const { killedWorker } = await import('../run/worker-claim.ts')
  const { isWorkflowPolled } = await import('../watch/look-at-runs.ts')
  const isMoving = isWatching && !isJson && effects.isLive && effects.isTerminal
  const moving = isMoving ? liveLines(effects.stdout) : null
  for (;;) {
    const look = () => findOpenRuns(client, config)
    const runs = await look()
    const [open, ...others] = runs
    if (open === undefined) return null
    // A waiting or paused run need give no sign. Its worker's claim and polls tell whether that worker is gone.
    const isGone =
      !open.signs.isOwed &&
      (killedWorker(config.warehouseDir) !== null ||
        !(await isWorkflowPolled(client, config, open)))
    const progress = isGone ? null : await attendedProgress(runs, look, SIGN_MS)
    const months = await keyMonths(config)
    const rate = sumOfRates(months)
    const { runId, orderId, schedule } = open
    const nowMs = Date.now()
    if (isJson) {
      const shown =
        progress === null
          ? { runId, orderId, phase: 'no worker' }
          : { ...progress, ...paceFacts(progress, nowMs, rate) }
      printJson(effects, { ...shown, schedule, ...(await readState()), months }, 0)
    } else if (moving !== null && progress !== null) {
      const lines = progressLines(progress, nowMs, moving.columns(), rate)
      moving.show([`run ${runId}`, ...lines])
    } else {
      const text = progress === null ? NO_WORKER : progressLine(progress, nowMs, rate)
      const lines = [`run ${runId}${ofSchedule(schedule)}: ${text}`]
      if (!isWatching) {
        lines.push(...others.map((run) => `also open: run ${run.runId}${ofSchedule(run.schedule)}`))
      }
      if (moving === null) print(effects, lines)
      else moving.show(lines)
    }
    if (!isWatching || stop.aborted) return progress === null ? 'unattended' : 'attended'
    await wait(WATCH_EVERY_MS, undefined, { signal: stop }).catch(() => undefined)
  }
}

function ofSchedule(schedule: string | null): string {
  return schedule === null ? '' : ` (schedule ${schedule})`
}

/** Shows the broken-off run, else the newest report, else, without any report, the last run that the server knows. */
async function showLastRun(
  effects: Effects,
  config: Config,
  client: Client | null,
  state: WarehouseState | null,
): Promise<void> {
  const { brokenOffRun, brokenOffText } = await import('../run/begun-run.ts')
  const { lastReport } = await import('../run/newest-reports.ts')
  const { pathsOf } = await import('../../config/warehouse-paths.ts')
  const paths = pathsOf(config)
  const broken = brokenOffRun(paths)
  let report = broken === null ? await lastReport(paths.runsDir) : null
  if (broken === null && report === null && client !== null) {
    const { lastRunOnServer } = await import('../status/last-run.ts')
    report = await lastRunOnServer(client, config)
    if (report !== null) {
      say(
        effects,
        `${paths.root} has no report of a run: this is the last one by hand that the server knows; its rows lie elsewhere, or were deleted`,
      )
    }
  }
  if (state !== null) {
    const shown = broken === null ? report : { ...broken, phase: 'broken off' }
    printJson(effects, { ...shown, ...state }, 0)
  } else if (broken !== null) {
    print(effects, [brokenOffText(broken)])
  } else if (report !== null) {
    const { reportText } = await import('../render/report-text.ts')
    print(effects, reportText(report))
  }
  if (broken === null && report === null) {
    // A restored warehouse has the runs of its ledger, and no report of them.
    say(
      effects,
      [paths.storeFile, paths.duckdbLink].some((file) => existsSync(file))
        ? `no report of a run is in ${paths.runsDir}: \`coinlake runs\` has the runs of the ledger`
        : `no run has ended in ${paths.root} yet: start with \`coinlake plan\`, then \`coinlake backfill\``,
    )
  }
}
