import { createPacer, type Pacer } from '../../api/pacer.ts'
import { type CallRate, EMPTY_RESET_MEMORY, readRateHeaders } from '../../api/rate-headers.ts'
import { followBudget } from '../../engine/follow-budget.ts'
import type { QuotaState } from '../../service/callers/quotas.ts'
import { ceilSeconds } from '../../service/callers/quota-headers.ts'
import { randomOf } from '../parts/random-of.ts'
import { createToldQuota, toldHeaders } from '../parts/told-quota.ts'
import type { ResetUnit, ToldQuota } from '../parts/told-quota.ts'
import { emptyBudget, steerBudget } from '../../workflows/steer-budget.ts'
import type { BudgetLease, BudgetReport } from '../../workflows/steer-budget.ts'
import { FakeTime } from '../api/fake-time.ts'
import { processTime, type ProcessTime, type Weather } from './process-time.ts'

/** One key, who spends it, and what the world is like. */
export interface SimulatedKey {
  quota: ToldQuota
  /** How the reset is told; null = no headers, only Retry-After with a refusal. */
  resetUnit: ResetUnit | null
  /** The source's clock, for its Date and an epoch reset; default: ours. */
  clockMs?: (servedAtMs: number) => number
  /** Part of the answers whose Date a cache has kept for up to half a minute. */
  oldDates?: number
  /** `source.rate`; null = learned. */
  told: CallRate | null
  processes: number
  windows: number
  /** Calls of another client of the key in each window, evenly; he does not heed refusals. */
  foreignCalls: number
  /** Round trip of a call, ms, evenly drawn. */
  latencyMs: readonly [least: number, most: number]
  weather: Weather
  seed: number
}

/** Epoch ms of what the service answered. */
export interface KeyUse {
  good: number[]
  refused: number[]
  foreignGood: number[]
  foreignRefused: number[]
}

/** Pages in flight of a process, as `source.concurrency` has them. */
const SLOTS = 16
/** From the end of a page to the start of the next on the queue. */
const DISPATCH_MS = [20, 120] as const
const REPORT_MS = [5, 60] as const
/** A call that would have to wait longer goes back to the queue, as in the client. */
const MAX_BLOCK_MS = 10_000
const DEFAULT_WAIT_MS = 60_000
const START_MS = Date.UTC(2026, 10, 21)
const MAX_DATE_AGE_MS = 30_000

/** Processes with the real pacers and the real steering against the service's own quota, in simulated time. */
export async function simulateKey(key: SimulatedKey): Promise<KeyUse> {
  const { quota: limit, windows, resetUnit } = key
  const draw = randomOf(key.seed)
  const between = ([least, most]: readonly [number, number]): number =>
    least + draw() * (most - least)
  const phaseMs = draw() * limit.perMs
  const time = new FakeTime(Math.ceil(START_MS / limit.perMs) * limit.perMs + phaseMs)
  const take = createToldQuota(limit, time)
  const use: KeyUse = { good: [], refused: [], foreignGood: [], foreignRefused: [] }
  const ending = new AbortController()
  let budget = emptyBudget
  const { clockMs = (ms: number): number => ms, oldDates = 0 } = key
  const dateOf = (servedAtMs: number): number => {
    const ageMs = oldDates > 0 && draw() < oldDates ? draw() * MAX_DATE_AGE_MS : 0
    return Math.floor((clockMs(servedAtMs) - ageMs) / 1_000) * 1_000
  }

  const outside = (ms: number): Promise<void> =>
    new Promise((resolve) => time.at(time.nowMs() + ms, resolve))

  /** A page begins when its batch has come. */
  async function start(own: ProcessTime): Promise<void> {
    await outside(between(DISPATCH_MS))
    await own.notice(0)
  }

  function answered(pacer: Pacer, state: QuotaState, headers: Record<string, string>, own: Memory) {
    const nowMs = time.nowMs()
    const { askedAtMs, memory, servedAtMs } = own
    const context = { askedAtMs, nowMs, dateMs: dateOf(servedAtMs), memory }
    pacer.observe(resetUnit === null ? null : readRateHeaders(headers, context), askedAtMs)
    if (state.allowed) return
    const retryAfterMs = Math.max(1_000, Number(ceilSeconds(state.resetInMs)) * 1_000)
    pacer.noteRefusal()
    pacer.throttle(nowMs + retryAfterMs)
  }

  async function work(pacer: Pacer, own: ProcessTime, memory: Memory['memory']): Promise<void> {
    for (;;) {
      await start(own)
      const permit = await pacer.acquire({ maxBlockMs: MAX_BLOCK_MS })
      if (!permit.granted) {
        await outside(Math.min(DEFAULT_WAIT_MS, permit.blockedUntilMs - time.nowMs()))
        continue
      }
      const askedAtMs = own.nowMs()
      const latencyMs = between(key.latencyMs)
      const wayMs = latencyMs * draw()
      await outside(wayMs)
      const servedAtMs = time.nowMs()
      const state = take()
      ;(state.allowed ? use.good : use.refused).push(servedAtMs)
      const headers = resetUnit === null ? {} : toldHeaders(state, resetUnit, clockMs(servedAtMs))
      await own.notice(latencyMs - wayMs)
      answered(pacer, state, headers, { askedAtMs, servedAtMs, memory })
    }
  }

  async function foreign(): Promise<void> {
    if (key.foreignCalls === 0) return
    for (;;) {
      const state = take()
      ;(state.allowed ? use.foreignGood : use.foreignRefused).push(time.nowMs())
      await outside(limit.perMs / key.foreignCalls)
    }
  }

  const atBudget = async (own: ProcessTime, report: BudgetReport): Promise<BudgetLease> => {
    await outside(between(REPORT_MS))
    const steered = steerBudget(budget, report, time.nowMs())
    budget = steered.state
    await own.notice(between(REPORT_MS))
    return steered.lease
  }

  for (let index = 0; index < key.processes; index += 1) {
    const own = processTime(time, key.weather, randomOf(key.seed * 31 + index))
    const { sleep } = own
    const pacer = createPacer({ rate: key.told, clock: own, sleep })
    const member = `process-${index}`
    const memory = { ...EMPTY_RESET_MEMORY }
    void outside(between([0, 500])).then(() => {
      const follow = { member, place: member, pacer, clock: own, sleep }
      const nothing = (): undefined => undefined
      const monthUse = { startsAtMs: 0, used: 0 }
      const ask = (report: BudgetReport): Promise<BudgetLease> => atBudget(own, report)
      const link = followBudget({ ...follow, monthUse, onUsed: nothing, onLost: nothing, ask })
      ending.signal.addEventListener('abort', () => void link.close())
      for (let slot = 0; slot < SLOTS; slot += 1) void work(pacer, own, memory)
      return null
    })
  }
  void foreign()
  await time.run(time.nowMs() + (windows + 1) * limit.perMs + 2_000)
  return use
}

interface Memory {
  askedAtMs: number
  servedAtMs: number
  memory: typeof EMPTY_RESET_MEMORY
}
