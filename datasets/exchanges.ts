import { catalogueOf, listedDataset } from './record/listed-table.ts'
import { EXCHANGE_ID, ORDINAL } from './table/common-columns.ts'
import { snapshotTable } from './table/snapshot-table.ts'
import { TRADE_VOLUMES, TRUST } from './exchange/exchange-detail-fields.ts'
import { columnsOf, count, field, flag, text, type RecordField } from './record/record-field.ts'

const LIST_FIELDS: readonly RecordField[] = [
  field('id', EXCHANGE_ID),
  text('name', 'Display name when it was last seen.'),
]

const STATS_FIELDS: readonly RecordField[] = [
  field('id', EXCHANGE_ID),
  text('name', 'Display name at that moment.'),
  count('year_established', 'year', 'Year in which the exchange opened.'),
  text('country', 'Country of registration, in English.'),
  text('description', 'Words about the exchange; empty or NULL for many.'),
  text('url', 'Website of the exchange.'),
  text('image', 'URL of the logo.'),
  flag('has_trading_incentive', 'Whether the exchange pays for trading; NULL when not known.'),
  ...TRUST,
  ...TRADE_VOLUMES,
]

export const EXCHANGES = catalogueOf(LIST_FIELDS, {
  name: 'exchanges',
  description:
    'Exchanges of the source, one row each, spot and derivatives. An exchange that is gone keeps its row, and its last_seen_at no longer changes.',
})

export const EXCHANGE_STATS = snapshotTable({
  name: 'exchange_stats',
  description:
    'Trust score and 24-hour volume of spot exchanges as listed at one moment: one row per exchange and observation.',
  key: ['exchange_id', 'observed_at'],
  columns: [ORDINAL, ...columnsOf(STATS_FIELDS)],
})

export const exchanges = listedDataset(
  {
    name: 'exchanges',
    description: 'The list of exchanges, and the statistics of spot exchanges once per `every`.',
    kind: 'snapshot',
  },
  [
    {
      operation: 'exchanges/list',
      spec: EXCHANGES,
      fields: LIST_FIELDS,
      more: ({ status }) => ({ gone: status === 'inactive' }),
    },
    { operation: 'exchanges', spec: EXCHANGE_STATS, fields: STATS_FIELDS },
  ],
)
