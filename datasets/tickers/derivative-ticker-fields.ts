import {
  amount,
  numberText,
  text,
  time,
  type RecordField,
  requiredText,
} from '../record/record-field.ts'

export const FUNDING_RATE = amount(
  'funding_rate',
  'percent',
  'Payment from one side of the contract to the other at each funding; 0 for futures, which have none.',
)

/** The fields of one contract in the listing of all exchanges. */
export const DERIVATIVE_TICKER_FIELDS: readonly RecordField[] = [
  requiredText(
    'market',
    'Display name of the derivative exchange; the listing carries no id.',
    'market_name',
  ),
  requiredText(
    'symbol',
    'Name of the contract at its exchange; can be empty, and one exchange can list it more than once.',
  ),
  text(
    'index_id',
    'Symbol of the coin or index that the contract follows, upper case. Never join on it, because it is no coin id.',
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
    'Distance of the price from the index as the source computes it, not always from the values of this row. Where the index is wrong the value is absurd (hundreds of thousands), so use the median and not the mean.',
  ),
  amount('spread', 'percent', 'Distance of the best bid from the best ask; NULL for many.'),
  FUNDING_RATE,
  amount(
    'open_interest',
    'USD',
    'Value of all open contracts; NULL where the exchange does not report it (half of them in 2021).',
    'open_interest_usd',
  ),
  amount('volume_24h', 'USD', 'Volume of the last 24 hours: a rolling figure.', 'volume_24h_usd'),
  time('last_traded_at', 'last_traded_at', 'epoch_s', 'When the contract was last traded.'),
  time('expired_at', 'expired_at', 'epoch_s', 'When the contract ends; NULL for perpetuals.'),
]
