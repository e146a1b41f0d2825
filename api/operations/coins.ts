import { z } from 'zod'
import { CHART_CACHE_AGE_S } from '../granularity.ts'
import type { Operation, Param } from '../operation.ts'
import { choice, csv, flag, PAGE, pathId, PER_PAGE, PRECISION, VS_CURRENCY } from './params.ts'
import { ROWS } from './rows.ts'

const COIN_ID = pathId('coin')

/** Without it the step follows from the window (api/granularity.ts). */
const INTERVAL: Param = {
  name: 'interval',
  in: 'query',
  type: 'string',
  required: false,
  allowed: ['daily', 'hourly', '5m'],
  description: 'Step of the points; without it the step follows from the window.',
}

/** Arrays of [ms, value]; points are looked at one by one in datasets/. */
const CHART = z.looseObject({
  prices: ROWS,
  market_caps: ROWS,
  total_volumes: ROWS,
})

/** Every coin with its id, symbol and name: one answer, no pages. */
export const coinsList: Operation = {
  id: 'coins/list',
  summary: 'All coins: id, symbol, name.',
  params: [flag('include_platform', 'Add the contract addresses by platform.')],
  response: ROWS,
  paging: { kind: 'none' },
  cacheAgeS: 300,
}

/** Current market data of coins. Sorted by moving values: neighbouring pages can overlap. */
export const coinsMarkets: Operation = {
  id: 'coins/markets',
  summary: 'Current price, market cap, volume and supply of coins.',
  params: [
    VS_CURRENCY,
    csv('ids', 'Only these coins.'),
    {
      name: 'category',
      in: 'query',
      type: 'string',
      required: false,
      description: 'Only coins of this category.',
    },
    choice('order', 'Sorting of the listing.', [
      'market_cap_desc',
      'market_cap_asc',
      'volume_desc',
      'volume_asc',
      'id_asc',
      'id_desc',
    ]),
    PER_PAGE,
    PAGE,
    flag('sparkline', 'Add the prices of the last 7 days.'),
    csv('price_change_percentage', 'Add the change of the price over these time frames.', [
      '1h',
      '24h',
      '7d',
      '14d',
      '30d',
      '200d',
      '1y',
    ]),
    PRECISION,
  ],
  response: ROWS,
  paging: { kind: 'pages', perPageParam: 'per_page', defaultPerPage: 100, maxPerPage: 250 },
  cacheAgeS: 60,
}

/** Price, market cap and volume over the last days, ending now. */
export const coinMarketChart: Operation = {
  id: 'coins/{id}/market_chart',
  summary: 'Price, market cap and 24-hour volume over the last days.',
  params: [
    COIN_ID,
    VS_CURRENCY,
    {
      name: 'days',
      in: 'query',
      type: 'days',
      required: true,
      description: 'Days back from now, or `max`.',
    },
    INTERVAL,
    PRECISION,
  ],
  response: CHART,
  paging: { kind: 'none' },
  cacheAgeS: CHART_CACHE_AGE_S['1d'],
}

/** Price, market cap and volume between two times. */
export const coinMarketChartRange: Operation = {
  id: 'coins/{id}/market_chart/range',
  summary: 'Price, market cap and 24-hour volume between two times.',
  params: [
    COIN_ID,
    VS_CURRENCY,
    {
      name: 'from',
      in: 'query',
      type: 'epoch_s',
      required: true,
      min: 0,
      description: 'First second asked for, epoch seconds UTC.',
    },
    {
      name: 'to',
      in: 'query',
      type: 'epoch_s',
      required: true,
      min: 0,
      description: 'Last second asked for, epoch seconds UTC, inclusive.',
    },
    INTERVAL,
    PRECISION,
  ],
  response: CHART,
  paging: { kind: 'none' },
  cacheAgeS: CHART_CACHE_AGE_S['1d'],
}

/** The only `days` that OHLC accepts, ascending. */
export const OHLC_DAYS: readonly number[] = [1, 7, 14, 30, 90, 180, 365]

/** Candles over the last days: [close time in ms, open, high, low, close]. */
export const coinOhlc: Operation = {
  id: 'coins/{id}/ohlc',
  summary: 'Open, high, low and close over the last days.',
  params: [
    COIN_ID,
    VS_CURRENCY,
    {
      name: 'days',
      in: 'query',
      type: 'days',
      required: true,
      allowed: OHLC_DAYS.map(String),
      description: 'Days back from now.',
    },
    PRECISION,
  ],
  response: ROWS,
  paging: { kind: 'none' },
  cacheAgeS: 900,
}
