import { existsSync } from 'node:fs'
import { CoinlakeError, EXIT } from '../../config/coinlake-error.ts'
import { writeMonthCount } from '../../activities/month-count.ts'
import type { Config } from '../../config/config.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import { count } from '../render/quantities.ts'
import type { KeyMonth } from '../run/key-months.ts'
import type { KeyCalls } from './look-at-source.ts'
import { doubt, faultOf, fine, type Finding } from './finding.ts'

const ABOUT = 'month'

/** The rest of the month, after the calls of this check. A warehouse that exists counts them. */
export async function lookAtMonth(
  config: Config,
  known: readonly KeyMonth[],
  calls: readonly KeyCalls[],
): Promise<Finding> {
  const months = known.map((month) => {
    const made = calls.find(({ keyId }) => keyId === month.keyId)
    return {
      ...month,
      used: month.used + (made?.calls ?? 0),
      rate: made?.rate ?? month.rate,
    }
  })
  // Another process may write the counts at this moment.
  try {
    if (calls.length > 0) await keep(config, months)
  } catch (error) {
    return faultOf(ABOUT, error)
  }
  return monthFinding(months)
}

async function keep(config: Config, months: readonly KeyMonth[]): Promise<void> {
  const { stateDir } = pathsOf(config)
  if (!existsSync(stateDir)) return
  for (const { keyId, startsAt, used, reserve, rate } of months) {
    const monthStartsAtMs = Date.parse(startsAt)
    await writeMonthCount(stateDir, {
      keyId,
      monthStartsAtMs,
      used,
      ...(reserve === null ? {} : { reserve }),
      ...(rate === null ? {} : { rate }),
    })
  }
}

function monthFinding(months: readonly KeyMonth[]): Finding {
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
    const error = new CoinlakeError(what, {
      code: 'MONTH_USED_UP',
      hint: `No call is made before ${endsAt}; add a key to source.api_keys to go on now.`,
    })
    return { ...faultOf(ABOUT, error), exitCode: EXIT.gaps }
  }
  if (remaining.every(({ calls, reserve }) => calls <= reserve)) {
    return doubt(ABOUT, {
      what: `${what}: the rest is kept for schedules and refetches`,
      code: 'MONTH_RESERVED',
      hint: `A backfill waits until ${endsAt}; source.monthly_reserve says how much is kept.`,
    })
  }
  return fine(ABOUT, what)
}
