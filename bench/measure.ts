import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { cpuSince, machineCpu } from './machine-cpu.ts'
import { highWaterBytes, processCpuS, processStat } from './proc-stat.ts'

/** CPU and memory of some of the processes of a tree. */
export interface GroupUse {
  /** User and system time, seconds. */
  cpuS: number
  /** The largest sum of resident memory seen at one moment, bytes; shared pages count once a process. */
  peakRssBytes: number
  /** The sum of the kernel's own high-water marks, bytes: misses no spike, however short. */
  highWaterBytes: number
}

/** What one run of a command took, its children and detached grandchildren included. */
export interface Measured {
  exitCode: number | null
  stdout: string
  stderr: string
  /** Epoch ms. */
  startedAtMs: number
  endedAtMs: number
  whole: GroupUse
  /** By the names that `groupOf` gave. */
  groups: Map<string, GroupUse>
  /** Part of the machine's CPU time that went to other processes meanwhile, 0 to 1. */
  othersShare: number
}

export interface MeasureOptions {
  cwd: string
  env: NodeJS.ProcessEnv
  /** Which group a process belongs to; `isRoot` is the command itself, not one that it started. */
  groupOf: (isRoot: boolean) => string
}

/** Fine enough for a sum over processes; each process's own peak comes from the kernel. */
const SAMPLE_EVERY_MS = 50
/** Reading all of /proc costs about 3 ms, so new processes are looked for less often. */
const LOOK_EVERY_SAMPLES = 5

interface Seen {
  group: string
  /** Clock ticks since boot: a pid that comes back is another process. */
  startTicks: number
  cpuS: number
  highWaterBytes: number
}

/** Whether processes can be measured here. */
export function canMeasure(): boolean {
  return existsSync('/proc/self/stat')
}

/** Runs a command to its end and measures its whole process tree from /proc (Linux). */
export async function measureTree(
  command: string,
  args: readonly string[],
  options: MeasureOptions,
): Promise<Measured> {
  const startedAtMs = Date.now()
  const machineBefore = machineCpu()
  const child = spawn(command, [...args], {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  const sampler = createSampler(child.pid ?? -1, options.groupOf)
  const timer = setInterval(() => sampler.sample(), SAMPLE_EVERY_MS)
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    const endedAtMs = Date.now()
    const machine = cpuSince(machineBefore)
    const use = sampler.result()
    const [stdout, stderr] = [out, err].map((chunks) => Buffer.concat(chunks).toString('utf8'))
    return {
      exitCode,
      stdout: stdout ?? '',
      stderr: stderr ?? '',
      startedAtMs,
      endedAtMs,
      ...use,
      othersShare: Math.max(0, machine.busyS - use.whole.cpuS) / machine.allS,
    }
  } finally {
    clearInterval(timer)
  }
}

function createSampler(rootPid: number, groupOf: (isRoot: boolean) => string) {
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
    // Parents are found before their children only by luck: repeat until nothing is new.
    for (let grew = true; grew;) {
      grew = false
      for (const [pid, parent] of parents) {
        if (!seen.has(pid) && seen.has(parent)) grew = note(pid) || grew
      }
    }
  }

  function sample(): void {
    if (samples % LOOK_EVERY_SAMPLES === 0) look()
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
