import { readFileSync } from 'node:fs'

/** The fields of `/proc/<pid>/stat` for a process. */
export interface ProcessStat {
  parentPid: number
  /** User and system time, clock ticks. */
  cpuTicks: number
  /** When it started, clock ticks since boot. */
  startTicks: number
  rssBytes: number
}

/** Unit of Linux's times, on every architecture of Node. */
const TICKS_PER_SECOND = 100
/** x64, and arm64 as distributions build it. */
const PAGE_BYTES = 4096

/** Parses the text. The command in it may contain blanks and brackets. */
export function parseProcessStat(text: string): ProcessStat | null {
  const afterName = text.lastIndexOf(') ')
  if (afterName < 0) return null
  // proc(5) numbers fields from 1. The first one here is the third.
  const fields = text.slice(afterName + 2).split(' ')
  const field = (number: number): number => Number(fields[number - 3])
  return {
    parentPid: field(4),
    cpuTicks: field(14) + field(15),
    startTicks: field(22),
    rssBytes: field(24) * PAGE_BYTES,
  }
}

/** The facts of a process; null = no such process. */
export function processStat(pid: number): ProcessStat | null {
  try {
    return parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return null
  }
}

/** CPU time of a process so far, seconds. */
export function processCpuS(stat: ProcessStat): number {
  return stat.cpuTicks / TICKS_PER_SECOND
}

/** The peak memory of a process so far; 0 = no such process. */
export function highWaterBytes(pid: number): number {
  try {
    const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(line?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
