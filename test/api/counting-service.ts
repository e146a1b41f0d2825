import { createPacer, type Pacer } from '../../api/pacer.ts'
import type { CallRate } from '../../api/rate-headers.ts'
import { NO_RESET_MEMORY, readRateHeaders } from '../../api/rate-headers.ts'
import { createQuota } from '../../service/callers/quota.ts'
import { quotaHeaders, type ResetUnit } from '../../service/callers/quota-headers.ts'
import { FakeTime } from './fake-time.ts'

export interface CountedRun {
  kind: 'fixed' | 'sliding'
  calls: number
  perMs: number
  unit: ResetUnit
  /** Told to the pacer; null = learned from the headers. */
  rate: CallRate | null
  /** How long each call takes, in turn; it is counted in the middle. */
  latenciesMs: readonly number[]
  callers: number
  windows: number
  /** Where in a window the run begins, ms. */
  phaseMs: number
  /** Another client of the same key makes so many calls a window, evenly. */
  foreignCalls?: number
}

/** How a run went, from the service's side. */
export interface CountedResult {
  refused: number
  /** Good calls by window, ours only. */
  perWindow: number[]
}

/** A pacer against the service's own quota and headers, in simulated time. */
export async function countedRun(run: CountedRun): Promise<CountedResult> {
  const { kind, calls, perMs, unit, latenciesMs } = run
  const startMs = Math.ceil(Date.UTC(2025, 0, 1) / perMs) * perMs + run.phaseMs
  const time = new FakeTime(startMs)
  const quota = createQuota({ calls, perMs, kind }, time)
  const pacer: Pacer = createPacer({ rate: run.rate, clock: time, sleep: time.sleep })
  const memory = { ...NO_RESET_MEMORY }
  const endMs = startMs + run.windows * perMs
  const perWindow = Array.from({ length: run.windows }, () => 0)
  let refused = 0
  let asked = 0
  const at = (ms: number): Promise<void> =>
    new Promise((resolve) => time.at(time.nowMs() + ms, resolve))

  const work = async (): Promise<void> => {
    for (;;) {
      await pacer.acquire()
      if (time.nowMs() >= endMs) return
      const latencyMs = latenciesMs[asked++ % latenciesMs.length]!
      await at(latencyMs / 2)
      const state = quota.take('key')
      const headers = quotaHeaders(state, unit, time.nowMs())
      const dateMs = Math.floor(time.nowMs() / 1000) * 1000
      if (state.allowed) {
        const index = Math.floor((time.nowMs() - startMs) / perMs)
        perWindow[index] = (perWindow[index] ?? 0) + 1
      } else {
        refused++
      }
      await at(latencyMs / 2)
      pacer.observe(readRateHeaders(headers, { nowMs: time.nowMs(), dateMs, memory }))
      if (!state.allowed) {
        const untilMs = time.nowMs() + Math.ceil(state.resetInMs / 1000) * 1000
        pacer.refused()
        pacer.throttle(untilMs)
      }
    }
  }
  const foreign = async (): Promise<void> => {
    const { foreignCalls = 0 } = run
    if (foreignCalls === 0) return
    while (time.nowMs() < endMs) {
      quota.take('key')
      await at(perMs / foreignCalls)
    }
  }
  const workers = Array.from({ length: run.callers }, work)
  void foreign()
  await time.run(endMs + perMs)
  void Promise.allSettled(workers)
  return { refused, perWindow: perWindow.slice(0, run.windows) }
}
