import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { RunReport } from '../../../activities/run-report.ts'
import { ConfigError } from '../../../config/config-error.ts'
import type { WarehousePaths } from '../../../config/warehouse-paths.ts'
import { brokenOffRun } from '../../run/begun-run.ts'
import type { BegunRun } from '../../run/begun-run.ts'
import { newestReports, readReport } from '../../run/last-report.ts'

/** The run that a report is about. */
export interface RunFacts {
  /** null = it has not ended, none was ever begun, or its report is in another state folder. */
  report: RunReport | null
  /** A later run that has left no report: it goes on, or was broken off. */
  begun: (BegunRun & { state: 'going_on' | 'broken_off' }) | null
  /** Ended runs that have a report, newest first, at most 10. */
  earlier: { runId: string; verdict: string; finishedAt: string }[]
}

const EARLIER_SHOWN = 10
const NAMED = 3

/**
 * The last run, or the one that is named, from the reports in the state folder.
 *
 * @throws ConfigError RUN_UNKNOWN
 */
export async function runFacts(
  paths: WarehousePaths,
  { named, isHeld }: { named: string | null; isHeld: boolean },
): Promise<RunFacts> {
  const last = await newestReports(paths.runsDir, EARLIER_SHOWN)
  const report = named === null ? (last[0] ?? null) : await reportOf(paths, named)
  if (named !== null && report === null) {
    const runIds = last
      .slice(0, NAMED)
      .map(({ runId }) => runId)
      .join(', ')
    throw new ConfigError(
      `no report of a run of ${paths.root} is called ${JSON.stringify(named)}`,
      {
        code: 'RUN_UNKNOWN',
        hint:
          runIds === ''
            ? 'There is none: they are written where a run ends, in `state/runs`.'
            : `The last ones are: ${runIds}.`,
      },
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
  // A name is typed text and no path.
  return basename(file) === `${runId}.json` && existsSync(file) ? readReport(file) : null
}
