import { knownMonthUse } from '../../activities/month-count.ts'
import { startOfMonthMs } from '../../api/month-gate.ts'
import type { CallRate } from '../../api/rate-headers.ts'
import type { Config } from '../../config/config.ts'
import { reserveFromSettings } from '../../config/reserve-from-settings.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import type { MonthOfKeys } from '../../plan/month-fit.ts'
import { sourceKeyIds } from './source-keys.ts'
import type { ReserveOf } from './month-reserve.ts'

export interface KeyMonth {
  keyId: string
  /** ISO time. */
  startsAt: string
  endsAt: string
  /** Calls of all processes with this key, refused and failed ones too. */
  used: number
  /** Calls that the key may make in this month; null = not known. */
  ceiling: number | null
  /** The part of them that backfills leave; null = not known, as before the first call of a warehouse with schedules. */
  reserve: number | null
  /** The rate that a process has learned from the source; null = not known. */
  rate: CallRate | null
}

/**
 * The present month of each configured key, by real time and not by the market's clock.
 *
 * @param ledgerCalls the ledger's calls since a time; absent = the ledger is not open
 * @param reserveOf absent = the reserve that the last fetching process has written
 */
export async function keyMonths(
  config: Config,
  ledgerCalls: (sinceMs: number) => Promise<number> = () => Promise.resolve(0),
  reserveOf?: ReserveOf,
): Promise<KeyMonth[]> {
  const nowMs = Date.now()
  const startsAtMs = startOfMonthMs(nowMs)
  const { stateDir } = pathsOf(config)
  const { monthlyCalls: ceiling, monthlyReserve: said } = config.source
  const keyIds = sourceKeyIds(config)
  const uses = await knownMonthUse(stateDir, keyIds, await ledgerCalls(startsAtMs), nowMs)
  // With schedules the reserve is their price, which needs the ledger's listings.
  const isSettled = said !== null || Object.keys(config.schedules).length === 0
  const reserveFor = (kept: number | null, calls: number): number | null =>
    reserveOf?.(calls, nowMs) ?? kept ?? (isSettled ? reserveFromSettings(said, calls) : null)
  return keyIds.map((keyId, index) => ({
    keyId,
    startsAt: new Date(startsAtMs).toISOString(),
    endsAt: new Date(startOfMonthMs(startsAtMs, 1)).toISOString(),
    used: uses[index]?.used ?? 0,
    ceiling,
    reserve: ceiling === null ? null : reserveFor(uses[index]?.reserve ?? null, ceiling),
    rate: uses[index]?.rate ?? null,
  }))
}

export function isMonthSpent({ used, ceiling }: KeyMonth): boolean {
  return ceiling !== null && used >= ceiling
}

/** The month of all keys together; null = no ceiling is known. */
export function monthOfAllKeys(months: readonly KeyMonth[]): MonthOfKeys | null {
  const sum = { used: 0, ceiling: 0, reserve: 0 }
  for (const { used, ceiling, reserve } of months) {
    if (ceiling === null) return null
    sum.used += used
    sum.ceiling += ceiling
    sum.reserve += reserve ?? 0
  }
  return { endsAtMs: Date.parse(months[0]!.endsAt), ...sum }
}

/** The rate of all keys together. Keys without a known rate count like the others. */
export function sumOfRates(months: readonly KeyMonth[]): CallRate | null {
  const known = months.flatMap(({ rate }) => rate ?? [])
  const [first] = known
  if (first === undefined) return null
  const calls = known.reduce((sum, rate) => sum + (rate.calls * first.perMs) / rate.perMs, 0)
  return { calls: Math.round((calls * months.length) / known.length), perMs: first.perMs }
}
