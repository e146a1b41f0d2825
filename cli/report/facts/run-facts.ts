import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { RunReport } from '../../../activities/run-report.ts'
import { ConfigError } from '../../../config/config-error.ts'
import type { WarehousePaths } from '../../../config/warehouse-paths.ts'
import { brokenOffRun, type BegunRun } from '../../run/begun-run.ts'
import { newestReports, readReport } from '../../run/newest-reports.ts'

export interface RunFacts {
  /** null = the run has not ended, or its report is in another state folder. */
  report: RunReport | null
  /** A later run without a report. */
  begun: (BegunRun & { state: 'going_on' | 'broken_off' }) | null
  /** The newest 10 ended runs with a report. */
  earlier: { runId: string; verdict: string; finishedAt: string }[]
}

const EARLIER_SHOWN = 10

/** The last or the named run, from the reports in the state folder. @throws ConfigError RUN_UNKNOWN */
export async function runFacts(
  paths: WarehousePaths,
  { named, isHeld }: { named: string | null; isHeld: boolean },
): Promise<RunFacts> {
  const last = await newestReports(paths.runsDir, EARLIER_SHOWN)
  const report = named === null ? (last[0] ?? null) : await reportOf(paths, named)
  if (named !== null && report === null) {
    throw new ConfigError(
      `no readable report of a run of ${paths.root} is called ${JSON.stringify(named)}`,
      { code: 'RUN_UNKNOWN', hint: '`coinlake runs` lists the runs.' },
    )
  }
  const begun = named === null ? brokenOffRun(paths) : null
  return {
    report,
    begun: begun === null ? null : { ...begun, state: isHeld ? 'going_on' : 'broken_off' },
    earlier: last.map(({ runId, verdict, finishedAt }) => ({ runId, verdict, finishedAt })),
  }
}

async function reportOf({ runsDir }: WarehousePaths, runId: string): Promise<RunReport | null> {
  const file = join(runsDir, `${runId}.json`)
  // The name is typed text, which must not lead elsewhere.
  return basename(file) === `${runId}.json` && existsSync(file) ? readReport(file) : null
}
