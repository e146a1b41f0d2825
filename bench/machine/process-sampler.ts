import { readdirSync } from 'node:fs'
import { highWaterBytes, processCpuS, processStat } from './proc-stat.ts'

/** CPU and memory of some of the processes of a tree. */
export interface GroupUse {
  /** User and system time, seconds. */
  cpuS: number
  /** The largest sum of resident memory in a sample, bytes. Shared pages count once per process. */
  peakRssBytes: number
  /** The sum of the kernel's high-water marks, bytes. They miss no spike. */
  highWaterBytes: number
}

interface Seen {
  group: string
  /** Clock ticks since boot. A pid with another start is another process. */
  startTicks: number
  cpuS: number
  highWaterBytes: number
}

/**
 * Follows a process and all its descendants, from sample to sample.
 *
 * @param groupOf the group of a process; `isRoot` = the first process
 * @param lookEvery samples between two searches for new processes
 */
export function createSampler(
  rootPid: number,
  groupOf: (isRoot: boolean) => string,
  lookEvery: number,
) {
  const seen = new Map<number, Seen>()
  const peaks = new Map<string, number>()
  let wholePeak = 0
  let samples = 0

  function note(pid: number): boolean {
    const stat = processStat(pid)
    if (stat === null) return false
    if (seen.get(pid)?.startTicks === stat.startTicks) return true
    const group = groupOf(pid === rootPid)
    seen.set(pid, { group, startTicks: stat.startTicks, cpuS: 0, highWaterBytes: 0 })
    return true
  }

  function look(): void {
    note(rootPid)
    const parents = new Map<number, number>()
    for (const name of readdirSync('/proc')) {
      const pid = Number(name)
      if (!Number.isInteger(pid)) continue
      const stat = processStat(pid)
      if (stat !== null) parents.set(pid, stat.parentPid)
    }
    // A child may stand before its parent, so the search repeats until it finds nothing new.
    for (let grew = true; grew;) {
      grew = false
      for (const [pid, parent] of parents) {
        if (!seen.has(pid) && seen.has(parent)) grew = note(pid) || grew
      }
    }
  }

  function sample(): void {
    if (samples % lookEvery === 0) look()
    samples += 1
    const sums = new Map<string, number>()
    let whole = 0
    for (const [pid, process] of seen) {
      const stat = processStat(pid)
      if (stat === null || stat.startTicks !== process.startTicks) continue
      process.cpuS = processCpuS(stat)
      process.highWaterBytes = Math.max(process.highWaterBytes, highWaterBytes(pid), stat.rssBytes)
      sums.set(process.group, (sums.get(process.group) ?? 0) + stat.rssBytes)
      whole += stat.rssBytes
    }
    for (const [group, sum] of sums) peaks.set(group, Math.max(peaks.get(group) ?? 0, sum))
    wholePeak = Math.max(wholePeak, whole)
  }

  function use(processes: readonly Seen[], peakRssBytes: number): GroupUse {
    return {
      cpuS: processes.reduce((sum, { cpuS }) => sum + cpuS, 0),
      peakRssBytes,
      highWaterBytes: processes.reduce((sum, { highWaterBytes }) => sum + highWaterBytes, 0),
    }
  }

  return {
    sample,
    result(): { whole: GroupUse; groups: Map<string, GroupUse> } {
      const all = [...seen.values()]
      const groups = new Map<string, GroupUse>()
      for (const group of new Set(all.map((process) => process.group))) {
        const own = all.filter((process) => process.group === group)
        groups.set(group, use(own, peaks.get(group) ?? 0))
      }
      return { whole: use(all, wholePeak), groups }
    },
  }
}
