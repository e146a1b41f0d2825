import { quoteName, quoteText } from '../../datasets/table/ddl.ts'
import type { AnalystMacro, AnalystView } from './analyst-view.ts'
import { candles } from './candles.ts'
import { coverage } from './coverage.ts'
import { crossRates } from './cross-rates.ts'
import { dailyOhlc } from './daily-ohlc.ts'
import { dailyPrices, hourlyPrices } from './prices.ts'
import { latestPrices, latestTokenPrices } from './latest-prices.ts'
import { latestSnapshots } from './latest-snapshots.ts'
import { dominance, marketShare } from './market-share.ts'
import { correlation, returns, volatility } from './returns.ts'
import { asOfMacros, versionViews } from './versions.ts'
import { viewStatements } from './view-statements.ts'
import { volumeByExchange } from './volume-by-exchange.ts'

/** Every view of a published file. A new view is a file here and a line in this list, after the views that it reads. */
export const analystViews: readonly AnalystView[] = [
  dailyPrices,
  hourlyPrices,
  dailyOhlc,
  latestPrices,
  latestTokenPrices,
  returns,
  volatility,
  correlation,
  marketShare,
  dominance,
  volumeByExchange,
  crossRates,
  coverage,
  ...versionViews,
  ...latestSnapshots,
]

export const analystMacros: readonly AnalystMacro[] = [...asOfMacros, candles]

/** All analyst views and macros whose tables exist, with their comments. */
export function analystStatements(tableNames: ReadonlySet<string>): string[] {
  const isMade = ({ needs }: { needs: readonly string[] }): boolean =>
    needs.every((name) => tableNames.has(name))
  return [
    ...analystViews
      .filter(isMade)
      .flatMap((view) => viewStatements(quoteName(view.name), view.sql, view)),
    ...analystMacros
      .filter(isMade)
      .flatMap(({ name, parameters, sql, description }) => [
        `CREATE OR REPLACE MACRO ${quoteName(name)}(${parameters}) AS TABLE ${sql}`,
        `COMMENT ON MACRO TABLE ${quoteName(name)} IS ${quoteText(description)}`,
      ]),
  ]
}
