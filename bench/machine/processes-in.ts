import { readdirSync, readlinkSync } from 'node:fs'
import { sep } from 'node:path'

/** Kills leftover processes in or below a folder (Linux). Returns their number. */
export function endProcessesIn(folder: string): number {
  const found = readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid) return []
    const cwd = cwdOf(pid)
    return cwd === folder || cwd?.startsWith(folder + sep) === true ? [pid] : []
  })
  for (const pid of found) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has ended.
    }
  }
  return found.length
}

function cwdOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}
