import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import type { Config } from '../../config/config.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import { print, printJson, say, type Effects } from '../effects.ts'
import { liveLines } from '../render/live-lines.ts'
import { progressLine, progressLines } from '../render/progress-line.ts'
import { reportText } from '../render/report-text.ts'
import { paceFacts } from '../render/run-pace.ts'
import { brokenOffRun, brokenOffText } from '../run/begun-run.ts'
import { keyMonths, sumOfRates } from '../run/key-months.ts'
import { lastReport } from '../run/newest-reports.ts'
import { attendedProgress, findOpenRuns } from '../run/open-run.ts'
import { killedWorker } from '../run/worker-claim.ts'
import { isWorkflowPolled } from '../watch/look-at-runs.ts'
import { lastRunOnServer } from './last-run.ts'
import type { WarehouseState } from './warehouse-state.ts'

/** After this time without a sign the run is shown as one without a worker. */
const SIGN_MS = 3_000
const WATCH_EVERY_MS = 1_000
const NO_WORKER =
  'open, but no worker works on it: start `coinlake worker` or run the same backfill again'

/** How runs are shown. */
export interface Showing {
  isJson: boolean
  isWatching: boolean
  readState: () => Promise<WarehouseState>
}

/** Shows the open run, with `isWatching` until it ends or the reader goes. @returns the state of the last look; null = no run is open */
export async function showOpenRun(
  effects: Effects,
  client: Client,
  config: Config,
  { isJson, isWatching, readState }: Showing,
  stop: AbortSignal,
): Promise<'unattended' | 'attended' | null> {
  const isMoving = isWatching && !isJson && effects.isLive && effects.isTerminal
  const moving = isMoving ? liveLines(effects.stdout) : null
  let hasReader = true
  effects.stdout.once('error', () => (hasReader = false))
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
    if (!isWatching || stop.aborted || !hasReader)
      return progress === null ? 'unattended' : 'attended'
    await wait(WATCH_EVERY_MS, undefined, { signal: stop }).catch(() => undefined)
  }
}

function ofSchedule(schedule: string | null): string {
  return schedule === null ? '' : ` (schedule ${schedule})`
}

/** Shows the broken-off run, else the newest report, else, without any report, the last run that the server knows. */
export async function showLastRun(
  effects: Effects,
  config: Config,
  client: Client | null,
  state: WarehouseState | null,
): Promise<void> {
  const paths = pathsOf(config)
  const broken = brokenOffRun(paths)
  let report = broken === null ? await lastReport(paths.runsDir) : null
  if (broken === null && report === null && client !== null) {
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
