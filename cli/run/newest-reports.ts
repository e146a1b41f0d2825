import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunReport } from '../../activities/run-report.ts'
import type { Unreachable } from '../../plan/plan-slices.ts'
import { unreachableHistory } from '../../plan/unreachable-history.ts'
import { requireAbsence } from '../../sinks/is-there.ts'

const SUFFIX = '.json'
/** The number of files that are read by name, and of those by time. */
const CANDIDATES = 20

/** The report of the run that ended last; null = no run has ended yet. */
export async function lastReport(runsDir: string): Promise<RunReport | null> {
  return (await newestReports(runsDir, 1))[0] ?? null
}

/**
 * The reports of the runs that ended last, newest first. Names alone do not tell, because a repeated window ends after
 * younger ones. Times alone do not tell, because copied files may have lost theirs. So the reports decide.
 *
 * @throws SinkError WAREHOUSE_UNREADABLE
 */
export async function newestReports(runsDir: string, count: number): Promise<RunReport[]> {
  const files = await readdir(runsDir).catch((error: unknown) => requireAbsence(runsDir, error))
  const names = (files ?? []).filter((name) => name.endsWith(SUFFIX))
  const byName = names.toSorted().toReversed()
  const written = await Promise.all(
    names.map(async (name) => {
      // A sweep may have removed the file since.
      const { mtimeMs } = await stat(join(runsDir, name)).catch(() => ({ mtimeMs: 0 }))
      return { name, atMs: mtimeMs }
    }),
  )
  const byTime = written.toSorted((a, b) => b.atMs - a.atMs).map(({ name }) => name)
  const few = Math.max(CANDIDATES, count)
  const chosen = new Set([...byName.slice(0, few), ...byTime.slice(0, few)])
  const read = await Promise.all([...chosen].map((name) => readReport(join(runsDir, name))))
  const reports = read.filter((report) => report !== null)
  return reports.toSorted((a, b) => endOf(b) - endOf(a)).slice(0, count)
}

/** Reads a report; null = the file is gone, damaged or no report. @throws SinkError WAREHOUSE_UNREADABLE */
export async function readReport(file: string): Promise<RunReport | null> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => requireAbsence(file, error))
  try {
    return withUnreachable(JSON.parse(text ?? '') as RunReport)
  } catch {
    // The ledger keeps the facts of the run.
    return null
  }
}

/** A report with days of unreachable history. An older coinlake has written only some series and no days. */
export function withUnreachable(report: RunReport): RunReport {
  const { series = [] } = report.unreachable as { series?: Unreachable[] }
  return 'days' in report.unreachable
    ? report
    : { ...report, unreachable: unreachableHistory(series) }
}

function endOf({ finishedAt }: Partial<RunReport>): number {
  return finishedAt === undefined ? 0 : Date.parse(finishedAt)
}
