import { onTestFinished } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../config/values/duration.ts'
import type { AnswerSource } from '../../service/answer-source.ts'
import { plainService } from '../parts/serve-source.ts'
import { createKeyRing } from '../../service/callers/key-ring.ts'
import { startService } from '../../service/serve-http.ts'
import { MARKET_PRESETS } from '../../service/market/market-spec.ts'
import { type HeldMarket, holdMarket } from '../parts/held-market.ts'
import type { MovableClock } from '../parts/proof-warehouse.ts'

/** A point is told up to four minutes late, and one in three changes within half an hour. */
const LATE_MS = 4 * MINUTE_MS
const CHANGES_WITHIN_MS = 30 * MINUTE_MS

/** A market over a real socket that can go away, change its key, and lose a coin. */
export interface YearMarket extends Pick<HeldMarket, 'coinIds' | 'connection'> {
  url: string
  /** Statuses of what was answered, and how often. */
  statuses: ReadonlyMap<number, number>
  /** Nothing listens from now on. */
  goDown(): Promise<void>
  comeBack(): Promise<void>
  /** The one key that is taken from now on. */
  takeKey(key: string): void
  /** From its next answer on the source does not know this coin. */
  delist(coinId: string): void
}

/** Opens one whose series reach from a few days before `fromMs` to `toMs`; answers tell the clock's present. */
export async function openYearMarket(
  clock: MovableClock,
  fromMs: number,
  toMs: number,
): Promise<YearMarket> {
  const days = Math.ceil((toMs - fromMs) / DAY_MS) + 4
  const spec = { ...MARKET_PRESETS.tiny, coins: 4, seed: 5, nowMs: toMs, observations: days + 1 }
  const market = await holdMarket({ ...spec, hourlyDays: days, dailyDays: days }, clock)
  const gone = new Set<string>()
  const statuses = new Map<number, number>()
  let ring = createKeyRing([])
  const service = plainService(unsettled(market.source, gone), {
    keys: { identify: (key) => ring.identify(key) },
    log: ({ status }) => statuses.set(status, (statuses.get(status) ?? 0) + 1),
  })
  let server = await startService(service, { port: 0 })
  const { url, port } = server
  onTestFinished(async () => {
    await server.close()
    await market.source.close()
  })
  return {
    ...market,
    url,
    statuses,
    goDown: () => server.close(),
    comeBack: async () => {
      server = await startService(service, { port })
    },
    takeKey: (key) => {
      ring = createKeyRing([key])
    },
    delist: (coinId) => gone.add(coinId),
  }
}

/** The source as the real one is: young points are late and change, and it forgets coins. */
function unsettled(source: AnswerSource, gone: ReadonlySet<string>): AnswerSource {
  return {
    ...source,
    answer: async (operation, params) => {
      if (gone.has(String(params['id']))) return { kind: 'not_found' }
      const answered = await source.answer(operation, params)
      if (answered.kind !== 'json' || !operation.includes('chart')) return answered
      const nowMs = source.clock.nowMs()
      const young = ([ts, value]: [number, number]): [number, number][] => {
        if (ts > nowMs - (ts % LATE_MS)) return []
        const isFirstTold = ts > nowMs - CHANGES_WITHIN_MS && ts % 3 === 0
        return [[ts, isFirstTold ? value * 2 : value]]
      }
      const series = Object.entries(answered.body as Record<string, [number, number][]>)
      return {
        ...answered,
        body: Object.fromEntries(series.map(([name, points]) => [name, points.flatMap(young)])),
      }
    },
  }
}
