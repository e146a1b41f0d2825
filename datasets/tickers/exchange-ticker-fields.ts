import { COIN_ID } from '../table/common-columns.ts'
import {
  amount,
  field,
  flag,
  text,
  time,
  type RecordField,
  requiredText,
} from '../record/record-field.ts'

const CONVERTED_LAST = 'Last price of one base unit, converted by the source at its own rates.'
const CONVERTED_VOLUME =
  'Volume of the last 24 hours, converted by the source at its own rates. Its ranking uses this volume.'

/** Ends the description of a volume whose table has flagged pairs. */
export const LEAVE_OUT_FLAGGED_SENTENCE = 'Leave out is_stale and is_anomaly rows before summing.'

/** Parameters for fields that a ticker has only on request. They cost no further call. */
export const TICKER_EXTRAS = { include_exchange_logo: 'true', depth: 'true' }

export const TICKER_FIELDS: readonly RecordField[] = [
  requiredText(
    'base',
    'Symbol of the traded coin, upper case, as the exchange names it; a contract address on exchanges that live on a chain. Join on coin_id instead.',
  ),
  requiredText(
    'target',
    'Symbol of the quote currency, upper case; a contract address on exchanges that live on a chain.',
  ),
  field(
    'coin_id',
    {
      ...COIN_ID,
      description: 'Id of the base coin, by the mapping of the source; empty where none is known.',
    },
    { whenMissing: '' },
  ),
  text('target_coin_id', 'Id of the target coin; NULL for fiat money (11 to 23 % of all rows).'),
  text('market.name', 'Display name of the exchange of this pair.'),
  text('market.identifier', 'Id of the exchange of this pair by the source.'),
  flag('market.has_trading_incentive', 'Whether the exchange pays for trading.'),
  text('market.logo', 'URL of the logo of the exchange.'),
  amount('last', 'target per base', 'Last traded price.'),
  amount(
    'volume',
    'base',
    `Volume of the last 24 hours in base units: a rolling figure. ${LEAVE_OUT_FLAGGED_SENTENCE}`,
  ),
  amount(
    'cost_to_move_up_usd',
    'USD',
    'Cost of moving the price up by 2 %; NULL where it is not known.',
  ),
  amount(
    'cost_to_move_down_usd',
    'USD',
    'Cost of moving the price down by 2 %; NULL where it is not known.',
  ),
  amount('converted_last.btc', 'BTC', CONVERTED_LAST),
  amount('converted_last.eth', 'ETH', CONVERTED_LAST),
  amount('converted_last.usd', 'USD', CONVERTED_LAST),
  amount('converted_volume.btc', 'BTC', CONVERTED_VOLUME),
  amount('converted_volume.eth', 'ETH', CONVERTED_VOLUME),
  amount('converted_volume.usd', 'USD', CONVERTED_VOLUME),
  text(
    'trust_score',
    'Trust of the source in the pair: green, yellow or red; NULL in every row since March 2026.',
  ),
  amount(
    'bid_ask_spread_percentage',
    'percent',
    'Distance of the best bid from the best ask; 0.01 means 0.01 %.',
  ),
  time('timestamp', 'ticker_at', 'seconds', 'Time of the ticker; not when it was fetched.'),
  time('last_traded_at', 'last_traded_at', 'seconds', 'When the pair was last traded.'),
  time(
    'last_fetch_at',
    'last_fetch_at',
    'seconds',
    'When the source last asked the exchange for the pair.',
  ),
  flag(
    'is_anomaly',
    'True when the price is far from that of other exchanges; left out of volume and spread views.',
  ),
  flag(
    'is_stale',
    'True when the price has not changed for hours; left out of volume and spread views.',
  ),
  text('trade_url', 'URL where the pair is traded.'),
  text('token_info_url', 'URL of a description of the token; NULL for most.'),
  amount('coin_mcap_usd', 'USD', 'Market cap of the base coin; 0 means unknown.'),
]
