import type { Clock } from '../../config/clock.ts'
import type { AnswerSource } from '../answer-source.ts'
import type { MarketSpec } from '../market/market-spec.ts'
import { createSimulatedSource } from './simulated-source.ts'
import type { AppendArrow } from './simulated-source.ts'

interface Moment {
  source: AnswerSource
  atMs: number
  readers: number
  isOver: boolean
}

/** Markets are made for whole minutes, so that all services answer alike in one minute. */
const TICK_MS = 60_000
/** Making markets takes at most 1/20 of the time. A large market is made less often. */
const KEPT_PER_MAKING = 20
const US_PER_MS = 1_000
/** A daily close appears at 00:35 UTC, as at the source. */
const DAILY_LATE_MS = 35 * 60_000

/**
 * The simulated market with a running clock. A later market has the same points and more. When the market is a minute
 * old, a request starts a new one. The old one answers until it is two minutes old.
 *
 * @throws ConfigError MARKET_SPEC
 */
export async function createRunningMarket({
  spec,
  append,
  clock,
}: {
  spec: Omit<MarketSpec, 'nowMs'>
  append: AppendArrow
  clock: Clock
}): Promise<AnswerSource> {
  let keepMs = TICK_MS
  const make = async (): Promise<Moment> => {
    const nowMs = Math.floor(clock.nowMs() / TICK_MS) * TICK_MS
    const before = process.cpuUsage()
    const made = { ...spec, nowMs, dailyLateMs: DAILY_LATE_MS }
    const source = await createSimulatedSource({ spec: made, append })
    const { user, system } = process.cpuUsage(before)
    keepMs = Math.max(TICK_MS, ((user + system) / US_PER_MS) * KEPT_PER_MAKING)
    return { source, atMs: nowMs, readers: 0, isOver: false }
  }
  let current = await make()
  let renewing: Promise<void> | null = null

  const closeUnread = async ({ source, readers, isOver }: Moment): Promise<void> => {
    if (isOver && readers === 0) await source.close()
  }
  const renew = async (): Promise<void> => {
    const before = current
    current = await make()
    before.isOver = true
    await closeUnread(before)
  }
  const renewOnce = (): Promise<void> =>
    (renewing ??= renew().finally(() => {
      renewing = null
    }))

  async function ask<T>(question: (source: AnswerSource) => Promise<T>): Promise<T> {
    const oldMs = clock.nowMs() - current.atMs
    if (oldMs >= 2 * keepMs) await renewOnce()
    // The error is not lost: the next request that must wait for a market gets it.
    else if (oldMs >= keepMs) void renewOnce().catch(() => undefined)
    const moment = current
    moment.readers += 1
    try {
      return await question(moment.source)
    } finally {
      moment.readers -= 1
      await closeUnread(moment)
    }
  }

  return {
    clock,
    answer: (operation, params) => ask((source) => source.answer(operation, params)),
    currencies: () => ask(async (source) => (await source.currencies?.()) ?? new Set<string>()),
    close: async () => {
      await renewing?.catch(() => undefined)
      await current.source.close()
    },
  }
}
