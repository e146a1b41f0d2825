import { z } from 'zod'
import { operation, type Param } from './describe-operation.ts'
import { flag, pathId, PRECISION, query, VS_CURRENCIES } from './params.ts'
import { QUOTES, ROWS } from './response-shapes.ts'

/** Optional figures beside a price have keys of their own: `usd_market_cap`, `usd_24h_vol`. */
const QUOTE_PARAMS: readonly Param[] = [
  VS_CURRENCIES,
  flag('include_market_cap', 'Add the market cap as `<currency>_market_cap`.'),
  flag('include_24hr_vol', 'Add the volume of 24 hours as `<currency>_24h_vol`.'),
  flag('include_24hr_change', 'Add the change of 24 hours in percent as `<currency>_24h_change`.'),
  flag('include_last_updated_at', 'Add the time of the price as `last_updated_at`, epoch seconds.'),
  PRECISION,
]

const MAX_ADDRESSES = 100

export const SIMPLE_OPERATIONS = [
  /** Providers differ in the key of the answer. */
  operation({
    id: 'ping',
    summary: 'Whether the service is up.',
    params: [],
    response: z.union([
      z.looseObject({ status: z.string() }),
      z.looseObject({ gecko_says: z.string() }),
    ]),
    cacheAgeS: 0,
  }),
  /** The answer leaves out unknown ids and currencies. */
  operation({
    id: 'simple/price',
    summary: 'Latest price of coins in several currencies.',
    params: [
      query('ids', 'csv', 'Coins to price.', { required: true, example: 'bitcoin,ethereum' }),
      ...QUOTE_PARAMS,
    ],
    unsupported: ['names', 'symbols'],
    response: QUOTES,
    cacheAgeS: 60,
  }),
  /** EVM addresses come back in lower case. Unknown ones are left out. */
  operation({
    id: 'simple/token_price/{id}',
    summary: 'Latest price of tokens of one platform in several currencies.',
    params: [
      pathId('asset platform', 'ethereum'),
      query('contract_addresses', 'csv', 'Contract addresses of the tokens to price.', {
        required: true,
        maxItems: MAX_ADDRESSES,
        example: '0xdac17f958d2ee523a2206206994597c13d831ec7',
      }),
      ...QUOTE_PARAMS,
    ],
    response: QUOTES,
    cacheAgeS: 60,
  }),
  /** Codes for `vs_currency` and `vs_currencies`. The keys of `exchange_rates` are another set. */
  operation({
    id: 'simple/supported_vs_currencies',
    summary: 'Currency codes in which values can be quoted.',
    params: [],
    response: ROWS,
    cacheAgeS: 300,
  }),
] as const
