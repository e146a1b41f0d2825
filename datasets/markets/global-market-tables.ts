import { required } from '../table/column.ts'
import { ABSENT, VS_CURRENCY } from '../table/common-columns.ts'
import { snapshotTable } from '../table/snapshot-table.ts'
import {
  amount,
  child,
  columnsOf,
  count,
  plainAmount,
  time,
  type RecordField,
} from '../record/record-field.ts'

export const GLOBAL_FIELDS: readonly RecordField[] = [
  count('active_cryptocurrencies', 'coins', 'How many coins are listed and traded.'),
  count('upcoming_icos', 'sales', 'Public sales of new coins to come; 0 since 2021.'),
  count('ongoing_icos', 'sales', 'Public sales of new coins going on; hardly moves since 2021.'),
  count('ended_icos', 'sales', 'Public sales of new coins that are over.'),
  count('markets', 'exchanges', 'How many exchanges are listed.'),
  child('total_market_cap', 'map', 'Rows of global_market_by_currency.'),
  child('total_volume', 'map', 'Rows of global_market_by_currency.'),
  child('market_cap_percentage', 'map', 'Rows of global_market_dominance.'),
  amount(
    'market_cap_change_percentage_24h_usd',
    'percent',
    'Change of the whole market cap in USD in 24 hours; 1.5 = 1.5 %.',
  ),
  amount(
    'volume_change_percentage_24h_usd',
    'percent',
    'Change of the whole volume in USD in 24 hours; NULL before 2026, when it was not sent.',
  ),
  time('updated_at', 'updated_at', 'epoch_s', 'When the source last made these numbers.'),
]

export const GLOBAL_CURRENCY_MAPS: readonly RecordField[] = [
  plainAmount(
    'total_market_cap',
    'vs_currency',
    'Market cap of all coins. In weak currencies it exceeds 2^53, from where a double no longer holds every whole number.',
  ),
  plainAmount(
    'total_volume',
    'vs_currency',
    'Volume of all coins in the last 24 hours: a rolling figure.',
  ),
]

export const SYMBOL_MAPS: readonly RecordField[] = [
  plainAmount('market_cap_percentage', 'percent', 'Share in the whole market cap; 58.3 = 58.3 %.'),
]

export const GLOBAL_MARKET = snapshotTable({
  name: 'global_market',
  description:
    'Counts and changes of the whole market at one moment: one row per observation. Its totals are in global_market_by_currency, the shares of coins in global_market_dominance.',
  key: ['observed_at'],
  columns: columnsOf(GLOBAL_FIELDS),
})

export const GLOBAL_MARKET_BY_CURRENCY = snapshotTable({
  name: 'global_market_by_currency',
  description:
    'Market cap and 24-hour volume of the whole market at one moment: one row per currency and observation. Each of about 60 currencies has the same sum, so choose one and never add them.',
  key: ['vs_currency', 'observed_at'],
  columns: [VS_CURRENCY, ...columnsOf(GLOBAL_CURRENCY_MAPS)],
  technical: [ABSENT],
})

export const GLOBAL_MARKET_DOMINANCE = snapshotTable({
  name: 'global_market_dominance',
  description:
    'Share of the largest coins in the whole market cap at one moment: one row per symbol and observation. The source sends about ten symbols, not always the same; a coin that is not among them has no row.',
  key: ['symbol', 'observed_at'],
  columns: [
    required(
      'symbol',
      'string',
      'Symbol of the coin, lower case; the source gives no coin id here.',
    ),
    ...columnsOf(SYMBOL_MAPS),
  ],
  technical: [ABSENT],
})
