import { cpus } from 'node:os'
import { createSampler } from './process-sampler.ts'

/** Misses little of a process at its end. Reading all of /proc takes about 3 ms. */
const SAMPLE_EVERY_MS = 500

/**
 * Begins to count the CPU time of this process and its descendants. The returned function ends the count and returns the
 * share of all other processes, 0 to 1. The last half second of a process may count as theirs.
 */
export function watchOthers(): () => number {
  const [startedMs, busyBeforeS] = [performance.now(), machineBusyS()]
  const sampler = createSampler(process.pid, 1)
  const cpuBefore = process.cpuUsage()
  const timer = setInterval(() => sampler.sample(), SAMPLE_EVERY_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    sampler.sample()
    const allS = (cpus().length * (performance.now() - startedMs)) / 1_000
    const ownBeforeS = (cpuBefore.user + cpuBefore.system) / 1e6
    const oursS = sampler.result().whole.cpuS - ownBeforeS
    return Math.min(1, Math.max(0, machineBusyS() - busyBeforeS - oursS) / allS)
  }
}

/** CPU time of all processors since boot, seconds, without the time in which they wait. */
function machineBusyS(): number {
  return (
    cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) /
    1_000
  )
}
