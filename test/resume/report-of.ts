import { expect } from 'vitest'
import type { RunReport } from '../../activities/run-report.ts'
import type { Ended } from '../parts/cli-process.ts'

/** The report of a run that must have ended complete; with `runId`, of that very run. */
export function reportOf({ code, stdout, stderr }: Ended, runId?: string): RunReport {
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}${stdout}`)
  const report = JSON.parse(stdout) as RunReport
  if (runId !== undefined) expect(report.runId).toBe(runId)
  return report
}
