import { cpuSince, machineCpu } from './machine-cpu.ts'
import { createSampler } from './process-sampler.ts'

/** Short enough to miss little of a process at its end. Reading all of /proc takes about 3 ms. */
const SAMPLE_EVERY_MS = 500

/**
 * Begins to count the CPU time of this process and all that it starts. The returned function ends the count and returns
 * the share that other processes had, 0 to 1. The CPU time of a process between its last sample and its end, at most
 * half a second, counts as that of others.
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
