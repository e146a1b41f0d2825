import { DAY_MS } from '../../config/values/duration.ts'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

const LOG_FILE_NAME = /^coinlake-(\d{4}-\d{2}-\d{2})\.log$/

/** The log files whose day ended more than `keepMs` ago. */
export function oldLogs(logsDir: string, keepMs: number): { path: string; sizeBytes: number }[] {
  let names: string[]
  try {
    names = readdirSync(logsDir)
  } catch {
    return []
  }
  return names.flatMap((name) => {
    const day = LOG_FILE_NAME.exec(name)?.[1]
    if (day === undefined || Date.parse(day) + DAY_MS + keepMs >= Date.now()) return []
    const path = join(logsDir, name)
    return [{ path, sizeBytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0 }]
  })
}

export function sweepLogs(logsDir: string, keepMs: number): void {
  for (const { path } of oldLogs(logsDir, keepMs)) {
    try {
      rmSync(path, { force: true })
    } catch {
      // `coinlake prune` reports such a file.
    }
  }
}
