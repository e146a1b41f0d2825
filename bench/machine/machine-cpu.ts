import { readFileSync } from 'node:fs'

/** CPU time of all processors since boot, seconds. */
export interface MachineCpu {
  busyS: number
  /** Busy, idle, and waiting for a disk. */
  allS: number
}

const TICKS_PER_SECOND = 100
/** proc_stat(5), the first line: user nice system idle iowait irq softirq steal. */
const OWN_FIELDS = 8
const IDLE = 3
const IOWAIT = 4

/** Reads the times from the text of /proc/stat. */
export function parseMachineCpu(text: string): MachineCpu {
  const [, ...fields] = (text.split('\n', 1)[0] ?? '').trim().split(/\s+/)
  const ticks = fields.slice(0, OWN_FIELDS).map(Number)
  const all = ticks.reduce((sum, value) => sum + value, 0)
  const idle = (ticks[IDLE] ?? 0) + (ticks[IOWAIT] ?? 0)
  return { busyS: (all - idle) / TICKS_PER_SECOND, allS: all / TICKS_PER_SECOND }
}

/** The machine's times now. */
export function machineCpu(): MachineCpu {
  return parseMachineCpu(readFileSync('/proc/stat', 'utf8'))
}

/** The CPU seconds since `before`. */
export function cpuSince(before: MachineCpu): MachineCpu {
  const now = machineCpu()
  return { busyS: now.busyS - before.busyS, allS: now.allS - before.allS }
}
