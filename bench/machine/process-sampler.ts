import { readdirSync } from 'node:fs'
import { highWaterBytes, processCpuS, processStat } from './proc-stat.ts'

/** CPU and memory of some of the processes of a tree. */
interface ProcessUse {
  /** User and system time, seconds. */
  cpuS: number
  /** The largest sum of resident memory in a sample, bytes. Shared pages count once per process. */
  peakRssBytes: number
  /** The sum of the kernel's high-water marks, bytes. They miss no spike. */
  highWaterBytes: number
}

/** A process with all its descendants: together, the process alone, and the descendants. */
export interface TreeUse {
  whole: ProcessUse
  root: ProcessUse
  descendants: ProcessUse
}

interface Seen {
  /** Clock ticks since boot. A pid with another start is another process. */
  startTicks: number
  cpuS: number
  highWaterBytes: number
}

/**
 * Follows a process and all its descendants, from sample to sample.
 *
 * @param lookEvery samples between two searches for new processes
 */
export function createSampler(rootPid: number, lookEvery: number) {
  const seen = new Map<number, Seen>()
  const peaks = { whole: 0, root: 0, descendants: 0 }
  let samples = 0

  function note(pid: number): boolean {
    const stat = processStat(pid)
    if (stat === null) return false
    if (seen.get(pid)?.startTicks === stat.startTicks) return true
    seen.set(pid, { startTicks: stat.startTicks, cpuS: 0, highWaterBytes: 0 })
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
    let [root, descendants] = [0, 0]
    for (const [pid, process] of seen) {
      const stat = processStat(pid)
      if (stat === null || stat.startTicks !== process.startTicks) continue
      process.cpuS = processCpuS(stat)
      process.highWaterBytes = Math.max(process.highWaterBytes, highWaterBytes(pid), stat.rssBytes)
      if (pid === rootPid) root = stat.rssBytes
      else descendants += stat.rssBytes
    }
    peaks.root = Math.max(peaks.root, root)
    peaks.descendants = Math.max(peaks.descendants, descendants)
    peaks.whole = Math.max(peaks.whole, root + descendants)
  }

  function use(isOf: (pid: number) => boolean, peakRssBytes: number): ProcessUse {
    const processes = [...seen].filter(([pid]) => isOf(pid)).map(([, process]) => process)
    return {
      cpuS: processes.reduce((sum, { cpuS }) => sum + cpuS, 0),
      peakRssBytes,
      highWaterBytes: processes.reduce((sum, { highWaterBytes }) => sum + highWaterBytes, 0),
    }
  }

  return {
    sample,
    result: (): TreeUse => ({
      whole: use(() => true, peaks.whole),
      root: use((pid) => pid === rootPid, peaks.root),
      descendants: use((pid) => pid !== rootPid, peaks.descendants),
    }),
  }
}
