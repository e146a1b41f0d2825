import type { Clock } from '../../config/clock.ts'
import type { AnswerSource } from '../answer-source.ts'
import type { MarketSpec } from '../market/market-spec.ts'
import { createSimulatedSource } from './simulated-source.ts'
import type { AppendArrow } from './simulated-source.ts'

/** A market of one moment, and who reads it. */
interface Moment {
  source: AnswerSource
  atMs: number
  readers: number
  isOver: boolean
}

/** Markets are made at whole minutes, so that services which are asked in the same minute say the same. */
const TICK_MS = 60_000
/** Making markets anew takes at most one part in this many of the time: a wide one is made more rarely. */
const MAKING_SHARE = 20
const US_PER_MS = 1_000
/** The close of a day comes at 00:35 UTC, as the real one does. */
const DAILY_LATE_MS = 35 * 60_000

/**
 * The simulated market at a clock that runs. A point follows from the seed and its time alone, so a market made later
 * has the same points and more of them: a request makes it anew when the last one is a minute old. One that is not
 * two minutes old answers meanwhile, as a cache does.
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
    keepMs = Math.max(TICK_MS, ((user + system) / US_PER_MS) * MAKING_SHARE)
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
  const renewed = (): Promise<void> =>
    (renewing ??= renew().finally(() => {
      renewing = null
    }))

  async function ask<T>(question: (source: AnswerSource) => Promise<T>): Promise<T> {
    const oldMs = clock.nowMs() - current.atMs
    if (oldMs >= 2 * keepMs) await renewed()
    // The next question is answered with why the market cannot be made.
    else if (oldMs >= keepMs) void renewed().catch(() => undefined)
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
