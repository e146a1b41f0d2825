import { COIN_ID, EXCHANGE_ID } from './table/common-columns.ts'
import { tickerDataset } from './tickers/ticker-dataset.ts'

export const coinTickers = tickerDataset({
  name: 'coin_tickers',
  description: 'Traded pairs of one coin on all exchanges, once per `every`.',
  tableDescription:
    'Price, volume, depth and spread of every pair of a coin, on all exchanges, as listed at one moment. Each row is one place (`ordinal`) in the listing of one coin at one moment. The listing changes while its pages are read, so a ticker may be missed or come twice. With the same values it is kept once (`duplicate` and `moved` in _slices count it), with other values twice. The source itself may also list a pair more than once (several pools). Rows with is_stale or is_anomaly are kept here.',
  entity: 'coin',
  operation: 'coins/{id}/tickers',
  ids: [
    {
      ...COIN_ID,
      name: 'listing_coin_id',
      description:
        'Id of the coin whose tickers were asked for. Mostly the base of the pair (coin_id), sometimes its target.',
    },
    {
      ...EXCHANGE_ID,
      description:
        'Id of the exchange of this pair, the same as market_identifier; empty where the source names none.',
    },
  ],
  order: 'trust_score_desc',
  orderSentence: "coinlake asks in order of trust score, the service's default.",
  sortColumns: {
    trust_score_asc: [{ column: 'ordinal', descending: true }],
    volume_desc: [{ column: 'converted_volume_usd', descending: true }],
    volume_asc: [{ column: 'converted_volume_usd' }],
  },
  filter: { param: 'exchange_ids', column: 'exchange_id' },
  ownerRow: (id) => ({
    table: 'coins',
    equals: { coin_id: id },
    orderBy: [{ column: 'last_seen_at', descending: true }],
    limit: 1,
  }),
  extraColumns: (rows) => ({
    exchange_id: rows.map(({ values }) => values['market_identifier'] ?? ''),
  }),
})
