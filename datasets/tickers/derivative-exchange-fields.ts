import { EXCHANGE_ID } from '../table/common-columns.ts'
import { amount, count, field, numberText, text, type RecordField } from '../record/record-field.ts'

/** The fields in the answer about one derivative exchange, without the id. */
export const DERIVATIVE_EXCHANGE_FIELDS: readonly RecordField[] = [
  text('name', 'Display name at that moment.'),
  amount(
    'open_interest_btc',
    'BTC',
    'Value of all open contracts; NULL where the exchange does not report it (14 of 50 in 2021).',
  ),
  numberText(
    'trade_volume_24h_btc',
    'BTC',
    'Volume of contracts traded in the last 24 hours as the exchange reports it: a rolling figure.',
  ),
  count('number_of_perpetual_pairs', 'contracts', 'How many perpetual contracts are listed.'),
  count('number_of_futures_pairs', 'contracts', 'How many futures are listed.'),
  text('image', 'URL of the logo.'),
  count('year_established', 'year', 'Year in which the exchange opened.'),
  text('country', 'Country of registration, in English.'),
  text('description', 'Words about the exchange; empty or NULL for many.'),
  text('url', 'Website of the exchange.'),
]

export const LISTED_DERIVATIVE_EXCHANGE_FIELDS: readonly RecordField[] = [
  field('id', EXCHANGE_ID),
  ...DERIVATIVE_EXCHANGE_FIELDS,
]
