import { selectorText } from '../../config/coin-selector.ts'
import type { Clock } from '../../config/clock.ts'
import type { Config } from '../../config/config.ts'
import type { ScheduleConfig, ScheduleTimes } from '../../config/schedule.ts'
import { wantedFromConfig } from '../../config/wanted.ts'
import { datasets } from '../../datasets/index.ts'
import { selectorOf } from '../../plan/order.ts'
import { itemsLookup } from '../../plan/price.ts'
import { repeatPrice } from '../../plan/repeat-price.ts'
import type { KnownListing, Store } from '../../sinks/store.ts'

const DAY_MS = 86_400_000
const MINUTES = 60
const HOURS = 24
const WEEKDAYS = 7

/** What a ledger knows of listings and chosen coins. */
interface KnownLists extends Pick<Store, 'universe'> {
  knownListings(): Promise<KnownListing[]>
}

/**
 * Calls that the schedules of a configuration make in a month of 31 days, at the most, once what they
 * keep up to date is there; null when there is no schedule.
 *
 * @param config as the file says it: flags of a command are not those of the schedules.
 */
export async function scheduledCalls(
  config: Config,
  clock: Clock,
  ledger: KnownLists,
): Promise<number | null> {
  const schedules = Object.values(config.schedules)
  if (schedules.length === 0) return null
  const itemsKnown = itemsLookup(await ledger.knownListings())
  let calls = 0
  for (const schedule of schedules) {
    const wanted = wantedFromConfig(ofSchedule(config, schedule), datasets, clock)
    const universes: Record<string, readonly string[]> = {}
    for (const selector of wanted.flatMap((one) => selectorOf(one) ?? [])) {
      const chosen = await ledger.universe(selectorText(selector))
      if (chosen !== null) universes[selectorText(selector)] = chosen
    }
    const price = repeatPrice({
      wanted,
      datasets,
      nowMs: clock.nowMs(),
      maxHistoryDays: config.source.maxHistoryDays,
      universes,
      itemsKnown,
      runEveryMs: Math.floor(DAY_MS / runsPerDay(schedule.times)),
      monthlyCalls: null,
    })
    calls += price.calls.max
  }
  return calls
}

/** The configuration with those datasets alone that the schedule brings up to date. */
export function ofSchedule(config: Config, { datasets: names }: ScheduleConfig): Config {
  if (names === null) return config
  const entries = Object.entries(config.datasets).filter(([name]) => names.includes(name))
  return { ...config, datasets: Object.fromEntries(entries) }
}

/** How often windows come due, on an average day; of cron at the most. */
function runsPerDay(times: ScheduleTimes): number {
  if (times.kind === 'interval') return DAY_MS / times.everyMs
  if (times.kind === 'times') {
    return (times.at.length * (times.weekdays.length || WEEKDAYS)) / WEEKDAYS
  }
  const [minute = '*', hour = '*'] = times.cron.trim().split(/\s+/)
  return timesIn(minute, MINUTES) * timesIn(hour, HOURS)
}

/** How often a field of cron is met in its whole: `5`, `1,31`, `*`, and a part of `*\/15`; ranges count as all. */
function timesIn(field: string, whole: number): number {
  return field.split(',').reduce((sum, part) => {
    const [values = '', step = '1'] = part.split('/')
    return sum + (/[*-]/.test(values) ? Math.ceil(whole / (Number(step) || 1)) : 1)
  }, 0)
}
