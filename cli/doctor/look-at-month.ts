import { existsSync } from 'node:fs'
import { EXIT } from '../../config/coinlake-error.ts'
import { writeMonthCount } from '../../activities/month-count.ts'
import type { Config } from '../../config/config.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import { count } from '../render/quantities.ts'
import { keyMonths, type KeyMonth } from '../run/key-months.ts'
import type { KeyCalls } from './look-at-source.ts'
import { doubt, fault, fine, type CheckResult } from './finding.ts'

/** The rest of the month, after the calls of this check. A warehouse that exists counts them. */
export async function lookAtMonth(config: Config, made: readonly KeyCalls[]): Promise<CheckResult> {
  // Read after the calls, because another process may have counted some meanwhile.
  const months = (await keyMonths(config)).map((month) => {
    const { calls = 0, rate = null } = made.find(({ keyId }) => keyId === month.keyId) ?? {}
    return { ...month, used: month.used + calls, rate: rate ?? month.rate }
  })
  const { stateDir } = pathsOf(config)
  if (made.length > 0 && existsSync(stateDir)) {
    for (const { keyId, startsAt, used, reserve, rate } of months) {
      const monthStartsAtMs = Date.parse(startsAt)
      await writeMonthCount(stateDir, { keyId, monthStartsAtMs, used, reserve, rate })
    }
  }
  return monthResult(months)
}

function monthResult(months: readonly KeyMonth[]): CheckResult {
  const remaining = months.map(({ used, ceiling, reserve }) => ({
    calls: (ceiling ?? Infinity) - used,
    reserve: reserve ?? 0,
  }))
  const used = months.reduce((sum, month) => sum + month.used, 0)
  const ceiling = months.reduce((sum, month) => sum + (month.ceiling ?? Infinity), 0)
  const of = Number.isFinite(ceiling) ? ` of ${count(ceiling)}` : ', no ceiling is known'
  const what = `${count(used)} calls made${of}`
  const endsAt = months[0]!.endsAt.slice(0, 10)
  if (remaining.every(({ calls }) => calls <= 0)) {
    const hint = `No call is made before ${endsAt}; add a key to source.api_keys to go on now.`
    return fault({ what, code: 'MONTH_USED_UP', hint }, EXIT.gaps)
  }
  if (remaining.every(({ calls, reserve }) => calls <= reserve)) {
    return doubt({
      what: `${what}: the rest is kept for schedules and refetches`,
      code: 'MONTH_RESERVED',
      hint: `A backfill waits until ${endsAt}; source.monthly_reserve says how much is kept.`,
    })
  }
  return fine(what)
}
