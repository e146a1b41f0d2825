import { catalogueOf, listedDataset } from './record/listed-table.ts'
import { EXCHANGE_ID, ORDINAL } from './table/common-columns.ts'
import { snapshotTable } from './table/snapshot-table.ts'
import type { RowSelection } from './dataset.ts'
import { LISTED_DERIVATIVE_EXCHANGE_FIELDS } from './tickers/derivative-exchange-fields.ts'
import { columnsOf, field, text, type RecordField } from './record/record-field.ts'

const LIST_FIELDS: readonly RecordField[] = [
  field('id', EXCHANGE_ID),
  text('name', 'Display name when it was last seen.'),
]

export const DERIVATIVE_EXCHANGES = catalogueOf(LIST_FIELDS, {
  name: 'derivative_exchanges',
  description:
    'Exchanges of the source that trade futures and perpetual contracts: one row per exchange. An exchange that is gone keeps its row, and its last_seen_at no longer changes.',
})

export const DERIVATIVE_EXCHANGE_STATS = snapshotTable({
  name: 'derivative_exchange_stats',
  description:
    'Open interest and 24-hour volume of derivative exchanges as listed at one moment: one row per exchange and observation.',
  key: ['exchange_id', 'observed_at'],
  columns: [
    {
      ...ORDINAL,
      description:
        'Place in the whole listing from 0. It is no rank: coinlake asks in order of name, the only order that does not change while pages are read.',
    },
    ...columnsOf(LISTED_DERIVATIVE_EXCHANGE_FIELDS),
  ],
})

const ORDER_BY: Readonly<Record<string, RowSelection['orderBy'][number]>> = {
  open_interest_btc_desc: { column: 'open_interest_btc', descending: true },
  open_interest_btc_asc: { column: 'open_interest_btc' },
  trade_volume_24h_btc_desc: { column: 'trade_volume_24h_btc', descending: true },
  trade_volume_24h_btc_asc: { column: 'trade_volume_24h_btc' },
  name_asc: { column: 'name' },
  name_desc: { column: 'name', descending: true },
}

export const derivativeExchanges = listedDataset(
  {
    name: 'derivative_exchanges',
    description: 'The list of derivative exchanges, and their statistics once per `every`.',
    kind: 'snapshot',
  },
  [
    { operation: 'derivatives/exchanges/list', spec: DERIVATIVE_EXCHANGES, fields: LIST_FIELDS },
    {
      operation: 'derivatives/exchanges',
      spec: DERIVATIVE_EXCHANGE_STATS,
      fields: LISTED_DERIVATIVE_EXCHANGE_FIELDS,
      params: { order: 'name_asc' },
      more: (params) => ({
        orderBy: [
          ORDER_BY[params['order'] ?? ''] ?? ORDER_BY['open_interest_btc_desc']!,
          { column: 'ordinal' },
        ],
      }),
    },
  ],
)
