import { selectorText } from '../../config/values/coin-selector.ts'
import type { Clock } from '../../config/clock.ts'
import type { Config } from '../../config/config.ts'
import { namesMean, orderLabel } from '../../config/order-label.ts'
import { scheduleWindows } from '../../config/schedule-windows.ts'
import type { ScheduleConfig } from '../../config/settings/read-schedules.ts'
import { wantedFromConfig } from '../../config/wanted.ts'
import { datasets } from '../../datasets/index.ts'
import { selectorOf, type WantedDataset } from '../../plan/order.ts'
import { itemsLookup } from '../../plan/price.ts'
import { MONTH_MS, repeatPrice } from '../../plan/repeat-price.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'

type KnownLists = Pick<Store, 'universe' | 'knownListings'>

/**
 * The most calls of all schedules in a month of 31 days, once the warehouse is complete; null = no schedules.
 *
 * @param config the file's, because flags of a command do not change schedules
 */
export async function scheduledCalls(
  config: Config,
  clock: Clock,
  ledger: KnownLists,
): Promise<number | null> {
  const schedules = Object.values(config.schedules)
  if (schedules.length === 0) return null
  const lastReadingOf = itemsLookup(await ledger.knownListings())
  let calls = 0
  for (const schedule of schedules) {
    const scheduled = configOfSchedule(config, schedule)
    const wanted = wantedFromConfig(scheduled, datasets, clock)
    const universes = await chosenUniverses(wanted, ledger)
    const price = repeatPrice({
      wanted,
      labels: scheduled.datasets.map(orderLabel),
      datasets,
      nowMs: clock.nowMs(),
      maxHistoryDays: config.source.maxHistoryDays,
      universes,
      lastReadingOf,
      runEveryMs: Math.floor(MONTH_MS / scheduleWindows(schedule.times).mostPerMonth),
      monthlyCalls: null,
    })
    calls += price.calls.max
  }
  return calls
}

/** The chosen coins of all selectors in the orders, by selector text. Selectors without a choice are missing. */
export async function chosenUniverses(
  wanted: readonly WantedDataset[],
  ledger: Pick<Store, 'universe'>,
): Promise<Record<string, readonly string[]>> {
  const universes: Record<string, readonly string[]> = {}
  for (const selector of wanted.flatMap((one) => selectorOf(one) ?? [])) {
    const chosen = await ledger.universe(selectorText(selector))
    if (chosen !== null) universes[selectorText(selector)] = chosen
  }
  return universes
}

/** The configuration with only the orders of the schedule. */
export function configOfSchedule(config: Config, { datasets: names }: ScheduleConfig): Config {
  if (names === null) return config
  return { ...config, datasets: config.datasets.filter((order) => namesMean(names, order)) }
}
