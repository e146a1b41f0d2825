import type { ServiceTimes } from '../service/bench-service.ts'
import type { Measured } from '../machine/measure.ts'
import type { GroupUse } from '../machine/process-sampler.ts'

/** One run of one peer, in seconds and rows. */
export interface PeerRun {
  rows: number
  calls: number
  /** The whole process, from its start to its end. */
  wallS: number
  /** From the start of the process to the first request, as the service saw it. */
  startUpS: number
  /** From the first request to the end of the process: fetching, writing, closing. */
  workS: number
  whole: GroupUse
  groups: Map<string, GroupUse>
}

/** Combines the measurement of the process with the times that the service saw. */
export function peerRun(measured: Measured, times: ServiceTimes, rows: number): PeerRun {
  const { startedAtMs, endedAtMs, whole, groups } = measured
  return {
    rows,
    calls: times.calls,
    wallS: (endedAtMs - startedAtMs) / 1000,
    startUpS: (times.firstAtMs - startedAtMs) / 1000,
    workS: (endedAtMs - times.firstAtMs) / 1000,
    whole,
    groups,
  }
}
