import {
  amount,
  numberText,
  text,
  time,
  type RecordField,
  requiredText,
} from '../record/record-field.ts'
import { FUNDING_RATE } from './derivative-ticker-fields.ts'

const QUOTE = 'target'
const CONVERTED_LAST = 'Last price of one contract unit, converted by the source at its own rates.'
const CONVERTED_VOLUME = 'Volume of the last 24 hours, converted by the source at its own rates.'

/** The fields of one contract in the answer about one derivative exchange. */
export const DERIVATIVE_EXCHANGE_TICKER_FIELDS: readonly RecordField[] = [
  requiredText(
    'symbol',
    'Name of the contract at its exchange; can be empty, and one exchange can list it twice.',
  ),
  text('base', 'Symbol of the traded coin, upper case, as the exchange names it.'),
  text('target', 'Symbol of the quote currency, upper case.'),
  text('coin_id', 'Id of the base coin, by the mapping of the source; NULL where none is known.'),
  text('target_coin_id', 'Id of the target coin; NULL for fiat money.'),
  text('trade_url', 'URL where the contract is traded.'),
  text('contract_type', 'Kind of contract: perpetual or futures.'),
  amount('last', QUOTE, 'Last price of the contract.'),
  amount(
    'h24_percentage_change',
    'percent',
    'Change of the price in 24 hours; 1.5 = 1.5 %.',
    'price_percentage_change_24h',
  ),
  amount(
    'index',
    QUOTE,
    'Price of the index that the contract follows; NULL where it is not known.',
    'index_price',
  ),
  amount('index_basis_percentage', 'percent', 'Distance of the price from its index.'),
  amount(
    'bid_ask_spread',
    'fraction',
    'Distance of the best bid from the best ask, as a fraction: 0.0004 = 0.04 %. derivative_tickers has it in percent.',
  ),
  FUNDING_RATE,
  amount(
    'open_interest_usd',
    'USD',
    'Value of all open contracts; NULL where the exchange does not report it.',
  ),
  amount(
    'h24_volume',
    'base',
    'Volume of the last 24 hours in base units: a rolling figure.',
    'volume_24h',
  ),
  numberText('converted_volume.btc', 'BTC', CONVERTED_VOLUME),
  numberText('converted_volume.eth', 'ETH', CONVERTED_VOLUME),
  numberText('converted_volume.usd', 'USD', CONVERTED_VOLUME),
  numberText('converted_last.btc', 'BTC', CONVERTED_LAST),
  numberText('converted_last.eth', 'ETH', CONVERTED_LAST),
  numberText('converted_last.usd', 'USD', CONVERTED_LAST),
  time('last_traded', 'last_traded_at', 'epoch_s', 'When the contract was last traded.'),
  time('expired_at', 'expired_at', 'epoch_s', 'When the contract ends; NULL for perpetuals.'),
]
