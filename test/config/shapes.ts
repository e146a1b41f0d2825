import type { DatasetShape } from '../../config/dataset-shape.ts'

function shape(
  name: string,
  kind: DatasetShape['kind'],
  entity: DatasetShape['entity'],
  perCurrency: boolean,
  granularities: DatasetShape['granularities'] = [],
): DatasetShape {
  const description = `All of ${name}. More text.`
  return { name, description, kind, entity, perCurrency, granularities }
}

/** Datasets as the config sees them, so that these tests need no definitions of `datasets/`. */
export const shapes: readonly DatasetShape[] = [
  shape('coins', 'catalogue', null, false),
  shape('coin_markets', 'snapshot', null, true),
  shape('market_chart', 'range', 'coin', true, ['1h', '1d', '5m']),
  shape('ohlc', 'trailing', 'coin', true, ['4h', '30m', '4d']),
  shape('exchanges', 'snapshot', null, false),
  shape('exchange_tickers', 'snapshot', 'exchange', false),
  shape('derivative_exchange_tickers', 'snapshot', 'derivative_exchange', false),
  shape('token_details', 'snapshot', 'token', false),
  shape('price_quotes', 'snapshot', 'coin', true),
  shape('search_results', 'snapshot', 'query', false),
  shape('exchange_rates', 'snapshot', null, false),
]
