import type { DatasetShape } from '../../config/dataset-shape.ts'

/** Datasets as the config sees them, so that these tests need no definitions of `datasets/`. */
export const shapes: readonly DatasetShape[] = [
  { name: 'coins', kind: 'catalogue', entity: null, perCurrency: false, granularities: [] },
  { name: 'coin_markets', kind: 'snapshot', entity: null, perCurrency: true, granularities: [] },
  {
    name: 'market_chart',
    description: 'Prices over time. More text.',
    kind: 'range',
    entity: 'coin',
    perCurrency: true,
    granularities: ['1h', '1d', '5m'],
  },
  {
    name: 'ohlc',
    kind: 'trailing',
    entity: 'coin',
    perCurrency: true,
    granularities: ['4h', '30m', '4d'],
  },
  { name: 'exchanges', kind: 'snapshot', entity: null, perCurrency: false, granularities: [] },
  {
    name: 'exchange_tickers',
    kind: 'snapshot',
    entity: 'exchange',
    perCurrency: false,
    granularities: [],
  },
  {
    name: 'derivative_exchange_tickers',
    kind: 'snapshot',
    entity: 'derivative_exchange',
    perCurrency: false,
    granularities: [],
  },
  {
    name: 'token_details',
    kind: 'snapshot',
    entity: 'token',
    perCurrency: false,
    granularities: [],
  },
  {
    name: 'price_quotes',
    kind: 'snapshot',
    entity: 'coin',
    perCurrency: true,
    granularities: [],
  },
  {
    name: 'search_results',
    kind: 'snapshot',
    entity: 'query',
    perCurrency: false,
    granularities: [],
  },
  { name: 'exchange_rates', kind: 'snapshot', entity: null, perCurrency: false, granularities: [] },
]
