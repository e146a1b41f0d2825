import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Identifies one process. Systems reuse pids, so the start time belongs to the identity. Start times are only compared:
 * clock ticks since boot on Linux, epoch milliseconds elsewhere.
 */
export interface ProcessIdentity {
  pid: number
  startTime: string
}

/** Index of field 22 of /proc/<pid>/stat among the fields after the command's closing bracket (field 2). */
const START_TIME_INDEX = 22 - 3

function linuxIdentity(pid: number): ProcessIdentity | null {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return null
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const state = fields[0]
  // A zombie has ended, but its parent has not read its exit code; in a container this may take for ever.
  if (state === 'Z' || state === 'X') return null
  const startTime = fields[START_TIME_INDEX]
  return startTime === undefined ? null : { pid, startTime }
}

function psIdentity(pid: number): ProcessIdentity | null {
  let line: string
  try {
    line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return null
  }
  const [state = '', ...started] = line.split(/\s+/)
  const startedMs = Date.parse(started.join(' '))
  if (state.startsWith('Z') || Number.isNaN(startedMs)) return null
  return { pid, startTime: String(startedMs) }
}

/** The identity of a living process; null = no such process, or a zombie. */
export function processIdentity(pid: number): ProcessIdentity | null {
  return process.platform === 'linux' ? linuxIdentity(pid) : psIdentity(pid)
}

/** Whether exactly this process still lives: same pid and same start time. */
export function isAlive(identity: ProcessIdentity): boolean {
  return processIdentity(identity.pid)?.startTime === identity.startTime
}

/** @throws Error when the system has neither /proc nor ps. */
export function ownIdentity(): ProcessIdentity {
  const own = processIdentity(process.pid)
  if (own === null) {
    throw new Error(`cannot read the start time of process ${process.pid}: is /proc mounted?`)
  }
  return own
}
