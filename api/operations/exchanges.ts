import { z } from 'zod'
import { operation } from './describe-operation.ts'
import {
  choiceWithDefault,
  DEX_PAIR_FORMAT,
  flag,
  PAGE,
  pathId,
  PER_PAGE,
  query,
  OFFERED_DAYS,
  status,
} from './params.ts'
import { ENTRIES, EXCHANGE_DETAIL, ROWS, TICKERS } from './response-shapes.ts'
import { VOLUME_STEPS } from '../step-rules.ts'

const EXCHANGE_ID = pathId('exchange', 'binance')

export const EXCHANGE_OPERATIONS = [
  operation({
    id: 'exchanges',
    summary: 'Active exchanges with trust score and 24-hour volume in BTC.',
    params: [PER_PAGE, PAGE],
    response: ROWS,
    paging: { defaultPerPage: 100, maxPerPage: 250 },
    cacheAgeS: 60,
  }),
  operation({
    id: 'exchanges/list',
    summary: 'All exchanges: id and name.',
    params: [status('exchanges')],
    response: ROWS,
    cacheAgeS: 300,
  }),
  /** Its first 100 tickers are in the body, which carries no id. */
  operation({
    id: 'exchanges/{id}',
    summary: 'Everything known of one exchange; volume in BTC.',
    subject: 'exchange',
    params: [EXCHANGE_ID, DEX_PAIR_FORMAT],
    response: EXCHANGE_DETAIL,
    cacheAgeS: 60,
  }),
  /** The listing moves while it is read. */
  operation({
    id: 'exchanges/{id}/tickers',
    summary: 'Latest tickers of one exchange.',
    subject: 'exchange',
    params: [
      EXCHANGE_ID,
      query('coin_ids', 'csv', 'Only tickers of these coins.'),
      flag('include_exchange_logo', 'Add the URL of the logo of the exchange.'),
      PER_PAGE,
      PAGE,
      flag('depth', 'Add the cost of moving the price by 2 percent.'),
      choiceWithDefault(
        'order',
        'Sorting of the listing; only `base_target` keeps its order while pages are read.',
        [
          'trust_score_desc',
          'trust_score_asc',
          'volume_desc',
          'volume_asc',
          'market_cap_desc',
          'market_cap_asc',
          'base_target',
        ],
      ),
      DEX_PAIR_FORMAT,
    ],
    response: TICKERS,
    paging: { defaultPerPage: 100, maxPerPage: 250 },
    cacheAgeS: 120,
  }),
  /**
   * Volume of the 24 hours before each point: [ms, decimal string of BTC]. The interface names no parameter `days`,
   * but clients send it and services take it.
   */
  operation({
    id: 'exchanges/{id}/volume_chart',
    summary: 'Rolling 24-hour volume of one exchange in BTC.',
    subject: 'exchange',
    params: [
      EXCHANGE_ID,
      query('days', 'days', 'Days back from now.', {
        default: '1',
        allowed: OFFERED_DAYS,
      }),
    ],
    response: ROWS,
    steps: VOLUME_STEPS,
    cacheAgeS: 60,
  }),
  operation({
    id: 'exchange_rates',
    summary: 'Units of each currency for 1 BTC.',
    params: [],
    response: z.object({ rates: ENTRIES }),
    cacheAgeS: 60,
  }),
] as const
