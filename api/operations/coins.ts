import { CHART_CACHE_AGE_S } from '../granularity.ts'
import { chartOperations } from './charts.ts'
import { operation } from './describe-operation.ts'
import {
  DEX_PAIR_FORMAT,
  flag,
  flagOn,
  PAGE,
  pathId,
  PER_PAGE,
  PRECISION,
  VS_CURRENCY,
  query,
  OFFERED_DAYS,
  sorting,
  status,
} from './params.ts'
import { COIN_DETAIL, ROWS, TICKERS } from './response-shapes.ts'
import { CANDLE_STEPS } from '../step-rules.ts'

const COIN_ID = pathId('coin', 'bitcoin')

export const COIN_OPERATIONS = [
  operation({
    id: 'coins/list',
    summary: 'All coins: id, symbol, name.',
    params: [flag('include_platform', 'Add the contract addresses by platform.'), status('coins')],
    response: ROWS,
    cacheAgeS: 300,
  }),
  /** The sorting values move, so neighbouring pages can overlap. */
  operation({
    id: 'coins/markets',
    summary: 'Current price, market cap, volume and supply of coins.',
    params: [
      VS_CURRENCY,
      query('ids', 'csv', 'Only these coins.', { maxItems: 250 }),
      query('category', 'string', 'Only coins of this category.'),
      sorting('market_cap', 'volume', 'id'),
      PER_PAGE,
      PAGE,
      flag('sparkline', 'Add the prices of the last 7 days.'),
      query(
        'price_change_percentage',
        'csv',
        'Add the change of the price over these time frames.',
        {
          allowed: ['1h', '24h', '7d', '14d', '30d', '200d', '1y'],
        },
      ),
      PRECISION,
    ],
    unsupported: ['names', 'symbols'],
    response: ROWS,
    paging: { defaultPerPage: 100, maxPerPage: 250 },
    cacheAgeS: 60,
  }),
  /** Up to 130 kB with tickers and translations. */
  operation({
    id: 'coins/{id}',
    summary: 'Everything known of one coin.',
    subject: 'coin',
    params: [
      COIN_ID,
      flagOn('localization', 'Names and descriptions in all languages.'),
      flagOn('tickers', 'The first 100 tickers.'),
      flagOn('market_data', 'Prices, market caps, volumes and supply.'),
      flagOn('community_data', 'Figures from social media, such as followers.'),
      flagOn('developer_data', 'Figures from source repositories, such as commits.'),
      flag('sparkline', 'Add the prices of the last 7 days.'),
      flag('include_categories_details', 'Add the ids of the categories to their names.'),
      DEX_PAIR_FORMAT,
    ],
    response: COIN_DETAIL,
    cacheAgeS: 60,
  }),
  /** The listing moves while it is read. */
  operation({
    id: 'coins/{id}/tickers',
    summary: 'Latest tickers of one coin.',
    subject: 'coin',
    params: [
      COIN_ID,
      query('exchange_ids', 'csv', 'Only tickers of these exchanges.'),
      flag('include_exchange_logo', 'Add the URL of the logo of the exchange.'),
      PER_PAGE,
      PAGE,
      sorting('trust_score', 'volume'),
      flag('depth', 'Add the cost of moving the price by 2 percent.'),
      DEX_PAIR_FORMAT,
    ],
    response: TICKERS,
    paging: { defaultPerPage: 100, maxPerPage: 250 },
    cacheAgeS: 120,
  }),
  /** The values of 00:00 UTC. Today, tomorrow and days before the coin's listing have no `market_data`. */
  operation({
    id: 'coins/{id}/history',
    summary: 'Price, market cap and volume of one coin on a date.',
    subject: 'coin',
    params: [
      COIN_ID,
      query('date', 'date', 'Calendar day, UTC.', {
        required: true,
        example: '2024-12-30',
      }),
      flagOn('localization', 'Names in all languages.'),
    ],
    response: COIN_DETAIL,
    cacheAgeS: CHART_CACHE_AGE_S['1d'],
  }),
  ...chartOperations('coins/{id}', 'coin', [COIN_ID]),
  /** Candles: [close time in ms, open, high, low, close]. */
  operation({
    id: 'coins/{id}/ohlc',
    summary: 'Open, high, low and close over the last days.',
    subject: 'coin',
    params: [
      COIN_ID,
      VS_CURRENCY,
      query('days', 'days', 'Days back from now.', {
        required: true,
        allowed: OFFERED_DAYS,
        example: '7',
      }),
      query(
        'interval',
        'string',
        'Step of the candles; without it the step follows from `days`. Candles of an interval are made of those of 30m or 4h, and reach no further back (simulated market: 1 day for 30m, 30 days for 4h).',
        { allowed: ['hourly', 'daily', 'weekly'] },
      ),
      PRECISION,
    ],
    response: ROWS,
    steps: CANDLE_STEPS,
    cacheAgeS: 900,
  }),
] as const
