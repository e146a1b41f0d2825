import { expect } from 'vitest'
import type { RunReport } from '../../activities/run-report.ts'
import { runningServer } from '../../engine/server/lease-server.ts'
import type { CliProcess, Ended } from '../parts/cli-process.ts'
import type { Lake } from '../parts/lake.ts'

/** Most requests that one worker process has under way: `source.concurrency` of the lake's config. */
const IN_FLIGHT = 4
/** One way to disturb a run. Gives the report of the run that ended complete in spite of it. */
export interface Disturbance {
  what: string
  /** Whether a process of coinlake is killed. */
  isCrash: boolean
  /** Calls that may have to be made twice. */
  mayRepeat: number
  run: (lake: Lake, share: number) => Promise<RunReport>
}

const backfill = (lake: Lake): CliProcess => lake.start(['backfill', '--json'])

/** Waits for the share, proves that the run is open, and does the deed. Gives the name of that run. */
async function inMidRun(lake: Lake, share: number, deed: () => void): Promise<string> {
  const { runId } = await lake.loaded(share)
  expect(await lake.isRunOpen()).toBe(true)
  deed()
  return runId
}

/** Every way in which a run is broken off here. */
export const disturbances: Disturbance[] = [
  {
    what: 'SIGINT of the CLI',
    isCrash: false,
    mayRepeat: 0,
    async run(lake, share) {
      const first = backfill(lake)
      const runId = await inMidRun(lake, share, () => first.kill('SIGINT'))
      const ended = await first.ended
      expect(ended).toMatchObject({ code: 130, signal: null, stdout: '' })
      expect(ended.stderr).toContain('stopping after the current write')
      expect(ended.stderr).toContain(`go on with: coinlake backfill -c ${lake.configFile}`)
      return reportOf(await backfill(lake).ended, runId)
    },
  },
  {
    what: 'SIGKILL of the CLI',
    isCrash: true,
    mayRepeat: IN_FLIGHT,
    async run(lake, share) {
      const first = backfill(lake)
      const runId = await inMidRun(lake, share, () => first.kill('SIGKILL'))
      expect(await first.ended).toMatchObject({ signal: 'SIGKILL', stdout: '' })
      return reportOf(await backfill(lake).ended, runId)
    },
  },
  {
    what: 'SIGKILL of the worker',
    isCrash: true,
    mayRepeat: IN_FLIGHT,
    async run(lake, share) {
      const worker = lake.start(['worker'])
      await worker.says('working on')
      const follower = backfill(lake)
      const runId = await inMidRun(lake, share, () => worker.kill('SIGKILL'))
      expect(await worker.ended).toMatchObject({ signal: 'SIGKILL' })
      expect(await lake.isRunOpen()).toBe(true)
      const again = lake.start(['worker'])
      const report = reportOf(await follower.ended, runId)
      again.kill('SIGINT')
      expect(await again.ended).toMatchObject({ code: 0, signal: null })
      return report
    },
  },
  {
    what: 'SIGKILL of the Temporal server',
    isCrash: false,
    mayRepeat: 0,
    async run(lake, share) {
      const run = backfill(lake)
      const runId = await inMidRun(lake, share, () => {
        process.kill(runningServer(lake.engineDir)?.server.pid ?? 0, 'SIGKILL')
      })
      return reportOf(await run.ended, runId)
    },
  },
]

/** The report of a run that must have ended complete; with `runId`, of that very run. */
export function reportOf({ code, stdout, stderr }: Ended, runId?: string): RunReport {
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}${stdout}`)
  const report = JSON.parse(stdout) as RunReport
  if (runId !== undefined) expect(report.runId).toBe(runId)
  return report
}
