import { amount, count, flag, text, type RecordField, json } from '../record/record-field.ts'

export const TRUST: readonly RecordField[] = [
  count(
    'trust_score',
    null,
    'Trust score of the source from 1 (worst) to 10 (best); NULL for many.',
  ),
  count('trust_score_rank', null, 'Rank by trust score from 1.'),
]

export const TRADE_VOLUMES: readonly RecordField[] = [
  amount(
    'trade_volume_24h_btc',
    'BTC',
    'Volume traded in the last 24 hours as the exchange reports it: a rolling figure.',
  ),
  amount(
    'trade_volume_24h_btc_normalized',
    'BTC',
    'Volume of 24 hours corrected by the source for web traffic; not sent since June 2025.',
  ),
]

/** Without the tickers. The body does not have the exchange's id. */
export const EXCHANGE_DETAIL_FIELDS: readonly RecordField[] = [
  text('name', 'Display name at that moment.'),
  count('year_established', 'year', 'Year in which the exchange opened.'),
  text('country', 'Country of registration, in English.'),
  text('description', 'Description of up to several thousand words; empty for many.'),
  text('url', 'Website of the exchange.'),
  text('image', 'URL of the logo.'),
  text('facebook_url', 'Page on Facebook; empty where there is none.'),
  text('reddit_url', 'Page on Reddit; empty where there is none.'),
  text('telegram_url', 'Channel on Telegram; empty where there is none.'),
  text('slack_url', 'Channel on Slack; empty where there is none.'),
  text('other_url_1', 'Another page of the exchange; empty where there is none.'),
  text('other_url_2', 'A second other page of the exchange; empty where there is none.'),
  text('twitter_handle', 'Name on Twitter without the @; empty where there is none.'),
  flag('has_trading_incentive', 'Whether the exchange pays for trading; NULL when not known.'),
  flag('centralized', 'True for a company that runs the market, false for one on a chain.'),
  text('public_notice', 'Notice of the source to everybody; empty for most.'),
  text('alert_notice', 'Warning of the source; empty for most.'),
  ...TRUST,
  count('coins', 'coins', 'How many coins are traded; NULL before 2022, when it was not sent.'),
  count('pairs', 'pairs', 'How many pairs are traded; NULL before 2022, when it was not sent.'),
  ...TRADE_VOLUMES,
  // No child table: only answers of 2020 and 2021 have announcements.
  json(
    'status_updates',
    'Announcements of the exchange as JSON text: a list of objects with description, category, created_at, user and project. Empty or NULL in newer answers.',
  ),
]
