import { operation } from './describe-operation.ts'
import { PAGE, pathId, PER_PAGE, query, sorting } from './params.ts'
import { EXCHANGE_DETAIL, ROWS } from './response-shapes.ts'

export const DERIVATIVE_OPERATIONS = [
  /** (market, symbol) is not unique. */
  operation({
    id: 'derivatives',
    summary: 'Tickers of futures and perpetual contracts.',
    params: [],
    response: ROWS,
    cacheAgeS: 30,
  }),
  operation({
    id: 'derivatives/exchanges',
    summary: 'Derivative exchanges with open interest and 24-hour volume in BTC.',
    params: [
      sorting('open_interest_btc', 'trade_volume_24h_btc', 'name'),
      { ...PER_PAGE, default: '50' },
      PAGE,
    ],
    response: ROWS,
    paging: { defaultPerPage: 50, maxPerPage: 250 },
    cacheAgeS: 60,
  }),
  /** The contracts come only with `include_tickers`. The body carries no id. */
  operation({
    id: 'derivatives/exchanges/{id}',
    summary: 'Everything known of one derivative exchange.',
    subject: 'derivative exchange',
    params: [
      pathId('derivative exchange', 'binance_futures'),
      query('include_tickers', 'string', 'Add all contracts, or those that have not expired.', {
        allowed: ['all', 'unexpired'],
      }),
    ],
    response: EXCHANGE_DETAIL,
    cacheAgeS: 30,
  }),
  operation({
    id: 'derivatives/exchanges/list',
    summary: 'All derivative exchanges: id and name.',
    params: [],
    response: ROWS,
    cacheAgeS: 300,
  }),
] as const
