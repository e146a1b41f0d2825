import { cpuSince, machineCpu } from './machine-cpu.ts'
import { createSampler } from './process-sampler.ts'

/** Often enough that little of a process is missed at its end; a look at all of /proc takes about 3 ms. */
const SAMPLE_EVERY_MS = 500

/**
 * Begins to count what this process and all that it starts have of the machine, until the returned function is
 * called: that gives the part which other processes had, 0 to 1. Of a process that ends, up to half a second is
 * taken for somebody else's.
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
