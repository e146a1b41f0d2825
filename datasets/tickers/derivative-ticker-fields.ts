import { amount, field, numberText, text, time, type RecordField } from '../record/record-field.ts'

/** The object of one contract in the listing of all exchanges. */
export const DERIVATIVE_TICKER_FIELDS: readonly RecordField[] = [
  field('market', {
    name: 'market_name',
    type: 'string',
    unit: null,
    nullable: false,
    description: 'Display name of the derivative exchange; the listing carries no id.',
  }),
  field('symbol', {
    type: 'string',
    unit: null,
    nullable: false,
    description:
      'Name of the contract at its exchange. Can be empty, and an exchange can list one symbol more than once.',
  }),
  text(
    'index_id',
    'Symbol of what the contract follows, upper case. No coin id: never join on it.',
  ),
  numberText('price', 'quote currency of the contract', 'Last price of the contract.'),
  amount('price_percentage_change_24h', 'percent', 'Change of the price in 24 hours; 1.5 = 1.5 %.'),
  text('contract_type', 'Kind of contract: perpetual or futures.'),
  amount(
    'index',
    'quote currency of the contract',
    'Price of the index that the contract follows; NULL where it is not known.',
    'index_price',
  ),
  amount(
    'basis',
    'percent',
    'Distance between price and index as the source computes it, not always from the two of this row. Absurd (hundreds of thousands) where the index is wrong: look at the median, not at the mean.',
  ),
  amount('spread', 'percent', 'Distance of the best bid from the best ask; NULL for many.'),
  amount(
    'funding_rate',
    'percent',
    'What holders of one side pay the other at each funding; 0 for futures, which have none.',
  ),
  amount(
    'open_interest',
    'USD',
    'Worth of all open contracts; NULL where the exchange does not tell (half of them in 2021).',
    'open_interest_usd',
  ),
  amount('volume_24h', 'USD', 'Volume of the last 24 hours: a rolling figure.', 'volume_24h_usd'),
  time('last_traded_at', 'last_traded_at', 'epoch_s', 'When the contract was last traded.'),
  time('expired_at', 'expired_at', 'epoch_s', 'When the contract ends; NULL for perpetuals.'),
]
