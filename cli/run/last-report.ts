import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunReport } from '../../activities/activity-types.ts'

/** The newest run report of a warehouse; null when no run has ended yet. Run ids sort by time. */
export async function lastReport(runsDir: string): Promise<RunReport | null> {
  const names = await readdir(runsDir).catch(() => [])
  const newest = names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .at(-1)
  if (newest === undefined) return null
  return JSON.parse(await readFile(join(runsDir, newest), 'utf8')) as RunReport
}
