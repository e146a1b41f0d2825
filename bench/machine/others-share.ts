import { cpuSince, machineCpu } from './machine-cpu.ts'
import { createSampler } from './process-sampler.ts'

/** Misses little of a process at its end. Reading all of /proc takes about 3 ms. */
const SAMPLE_EVERY_MS = 500

/**
 * Begins to count the CPU time of this process and its descendants. The returned function ends the count and returns the
 * share of all other processes, 0 to 1. The last half second of a process may count as theirs.
 */
export function watchOthers(): () => number {
  const before = machineCpu()
  const sampler = createSampler(process.pid, () => 'ours', 1)
  const cpuBefore = process.cpuUsage()
  const timer = setInterval(() => sampler.sample(), SAMPLE_EVERY_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    sampler.sample()
    const { busyS, allS } = cpuSince(before)
    const beforeS = (cpuBefore.user + cpuBefore.system) / 1e6
    const oursS = sampler.result().whole.cpuS - beforeS
    return allS > 0 ? Math.min(1, Math.max(0, busyS - oursS) / allS) : 0
  }
}
