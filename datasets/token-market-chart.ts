import { factsBy } from './table/row-keys.ts'
import { CHART_COLUMNS } from './chart/chart-columns.ts'
import { chartDataset } from './chart/chart-dataset.ts'
import type { ChartSubject } from './chart/chart-subject.ts'
import { CHART_UNSENT } from './chart/chart-tables.ts'
import { CONTRACT_ADDRESS, PLATFORM_ID } from './table/common-columns.ts'
import type { Dataset, TableSpec } from './dataset.ts'
import { askedTokenColumns, tokenParams } from './request/token-entity.ts'

export const TOKEN_MARKET_CHART: TableSpec = {
  name: 'token_market_chart',
  description:
    'Price, market cap and rolling 24-hour volume of a token over time, named by its contract: one row per platform, contract, currency, granularity and timestamp. Points jitter, so join two tokens on bucket_at and never on ts; always filter by granularity. Join to coins by coin_platforms.',
  columns: [PLATFORM_ID, CONTRACT_ADDRESS, ...CHART_COLUMNS],
  ...factsBy(['platform_id', 'contract_address', 'vs_currency', 'granularity', 'ts']),
  unsent: CHART_UNSENT,
}

const TOKEN_CHART: ChartSubject = {
  operations: {
    days: 'coins/{id}/contract/{contract_address}/market_chart',
    range: 'coins/{id}/contract/{contract_address}/market_chart/range',
  },
  paramsOfEntity: tokenParams,
  columnsOfParams: askedTokenColumns,
  listedIn: 'coin_platforms',
}

export const tokenMarketChart: Dataset = {
  name: 'token_market_chart',
  description: 'History of price, market cap and 24-hour volume per token and currency.',
  entity: 'token',
  pointName: 'token price',
  ...chartDataset(TOKEN_CHART, TOKEN_MARKET_CHART),
}
