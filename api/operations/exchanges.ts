import { z } from 'zod'
import type { Operation } from '../operation.ts'
import { choice, csv, PAGE, pathId, PER_PAGE } from './params.ts'
import { ROWS } from './rows.ts'

/** Exchanges with their statistics. */
export const exchanges: Operation = {
  id: 'exchanges',
  summary: 'Active exchanges with trust score and 24-hour volume in BTC.',
  params: [PER_PAGE, PAGE],
  response: ROWS,
  paging: { kind: 'pages', perPageParam: 'per_page', defaultPerPage: 100, maxPerPage: 250 },
  cacheAgeS: 60,
}

/** Every exchange with id and name: one answer, no pages. */
export const exchangesList: Operation = {
  id: 'exchanges/list',
  summary: 'All exchanges: id and name.',
  params: [
    choice('status', 'Exchanges that trade now, or that do no longer.', ['active', 'inactive']),
  ],
  response: ROWS,
  paging: { kind: 'none' },
  cacheAgeS: 300,
}

/** Pairs traded on one exchange. A page always has 100 items; the listing moves while it is read. */
export const exchangeTickers: Operation = {
  id: 'exchanges/{id}/tickers',
  summary: 'Latest tickers of one exchange.',
  params: [
    pathId('exchange'),
    csv('coin_ids', 'Only tickers of these coins.'),
    PAGE,
    choice('order', 'Sorting of the listing; `base_target` is the only one that stands still.', [
      'trust_score_desc',
      'trust_score_asc',
      'volume_desc',
      'volume_asc',
      'market_cap_desc',
      'market_cap_asc',
      'base_target',
    ]),
  ],
  response: z.looseObject({ tickers: ROWS }),
  paging: { kind: 'pages', perPageParam: null, defaultPerPage: 100, maxPerPage: 100 },
  cacheAgeS: 120,
}

/** What one BTC is worth in every known currency, now. */
export const exchangeRates: Operation = {
  id: 'exchange_rates',
  summary: 'Units of each currency for 1 BTC.',
  params: [],
  response: z.looseObject({ rates: z.record(z.string(), z.unknown()) }),
  paging: { kind: 'none' },
  cacheAgeS: 60,
}
