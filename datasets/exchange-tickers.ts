import { EXCHANGE_ID } from './table/common-columns.ts'
import { tickerDataset } from './tickers/ticker-dataset.ts'

export const exchangeTickers = tickerDataset({
  name: 'exchange_tickers',
  description: 'Traded pairs of one exchange, once per `every`.',
  tableDescription:
    'Price, volume and spread of every pair of an exchange as listed at one moment. The source may list a pair more than once (several pools). A ticker that came twice with the same values is kept once (`duplicate` in _slices counts it). Rows with is_stale or is_anomaly are kept here and left out of views.',
  entity: 'exchange',
  operation: 'exchanges/{id}/tickers',
  ids: [EXCHANGE_ID],
  order: 'base_target',
  orderSentence:
    'coinlake asks in order of base and target, the only order that does not change while pages are read.',
  sortColumns: {
    volume_desc: [{ column: 'converted_volume_usd', descending: true }],
    volume_asc: [{ column: 'converted_volume_usd' }],
    market_cap_desc: [{ column: 'coin_mcap_usd', descending: true }],
    market_cap_asc: [{ column: 'coin_mcap_usd' }],
    base_target: [{ column: 'base' }, { column: 'target' }],
  },
  filter: { param: 'coin_ids', column: 'coin_id' },
  ownerRow: (id) => ({ table: 'exchanges', equals: { exchange_id: id }, orderBy: [], limit: 1 }),
})
