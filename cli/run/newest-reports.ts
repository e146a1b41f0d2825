import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunReport } from '../../activities/run-report.ts'
import { requireAbsence } from '../../sinks/is-there.ts'

const SUFFIX = '.json'
/** So many of the newest files are read at least, because a file may be written some time after its run's end. */
const CANDIDATES = 20

/** The report of the run that ended last; null = no run has ended yet. */
export async function lastReport(runsDir: string): Promise<RunReport | null> {
  return (await newestReports(runsDir, 1))[0] ?? null
}

/**
 * The reports of the runs that ended last, newest first. Names do not tell, because a repeated window ends after younger
 * ones. So the times of the files choose some, and these tell their ends.
 *
 * @throws SinkError WAREHOUSE_UNREADABLE
 */
export async function newestReports(runsDir: string, count: number): Promise<RunReport[]> {
  const files = await readdir(runsDir).catch((error: unknown) => requireAbsence(runsDir, error))
  const names = (files ?? []).filter((name) => name.endsWith(SUFFIX))
  const written = await Promise.all(
    names.map(async (name) => {
      // A sweep may have removed the file since.
      const { mtimeMs } = await stat(join(runsDir, name)).catch(() => ({ mtimeMs: 0 }))
      return { name, atMs: mtimeMs }
    }),
  )
  const chosen = written.toSorted((a, b) => b.atMs - a.atMs).slice(0, Math.max(CANDIDATES, count))
  const read = await Promise.all(chosen.map(({ name }) => readReport(join(runsDir, name))))
  const reports = read.filter((report) => report !== null)
  return reports
    .toSorted((a, b) => Date.parse(b.finishedAt) - Date.parse(a.finishedAt))
    .slice(0, count)
}

/** Reads a report; null = the file is gone, damaged or no report. @throws SinkError WAREHOUSE_UNREADABLE */
export async function readReport(file: string): Promise<RunReport | null> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => requireAbsence(file, error))
  try {
    return JSON.parse(text ?? '') as RunReport | null
  } catch {
    // The ledger keeps the facts of the run.
    return null
  }
}
