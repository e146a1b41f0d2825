import type { AnalystView } from './analyst-view.ts'
import { coverage } from './coverage.ts'
import { dailyPrices } from './daily-prices.ts'
import { hourlyPrices } from './hourly-prices.ts'
import { latestMarkets } from './latest-markets.ts'

/** Every view that a published file holds. A new one is a file here and a line in this list. */
export const analystViews: readonly AnalystView[] = [
  dailyPrices,
  hourlyPrices,
  latestMarkets,
  coverage,
]
