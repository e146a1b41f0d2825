import { factsBy } from './table/row-keys.ts'
import { CHART_COLUMNS } from './chart/chart-columns.ts'
import { chartDataset } from './chart/chart-dataset.ts'
import { COIN_CHART } from './chart/chart-subject.ts'
import { CHART_UNSENT } from './chart/chart-tables.ts'
import { COIN_ID } from './table/common-columns.ts'
import type { Dataset, TableSpec } from './dataset.ts'

export const MARKET_CHART: TableSpec = {
  name: 'market_chart',
  description:
    'Price, market cap and rolling 24-hour volume of a coin over time, as the source listed them: one row per coin, currency, granularity and timestamp. Points jitter, so join two coins on bucket_at and never on ts; always filter by granularity, or read the views hourly_prices and daily_prices.',
  columns: [COIN_ID, ...CHART_COLUMNS],
  ...factsBy(['coin_id', 'vs_currency', 'granularity', 'ts']),
  unsent: CHART_UNSENT,
}

export const marketChart: Dataset = {
  name: 'market_chart',
  description: 'History of price, market cap and 24-hour volume per coin and currency.',
  entity: 'coin',
  pointName: 'price',
  ...chartDataset(COIN_CHART, MARKET_CHART),
}
