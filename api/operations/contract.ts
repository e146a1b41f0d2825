import { CHART_CACHE_AGE_S } from '../granularity.ts'
import { operation, type Param } from './describe-operation.ts'
import { DAYS, FROM, INTERVAL, pathId, PRECISION, TO, VS_CURRENCY } from './params.ts'
import { CHART, COIN_DETAIL } from './response-shapes.ts'
import { DAYS_CHART_STEPS, RANGE_CHART_STEPS } from '../step-rules.ts'

/** In these paths `{id}` is the platform of the contract. */
const TOKEN: readonly Param[] = [
  pathId('asset platform', 'ethereum'),
  {
    name: 'contract_address',
    in: 'path',
    type: 'string',
    required: true,
    example: '0xdac17f958d2ee523a2206206994597c13d831ec7',
    description: "Address of the token's contract; case does not matter on EVM platforms.",
  },
]

export const tokenDetail = operation({
  id: 'coins/{id}/contract/{contract_address}',
  summary: 'Everything known of the coin of a contract.',
  subject: 'token',
  params: [...TOKEN],
  response: COIN_DETAIL,
  cacheAgeS: 60,
})

export const tokenMarketChart = operation({
  id: 'coins/{id}/contract/{contract_address}/market_chart',
  summary: 'Price, market cap and 24-hour volume of a token over the last days.',
  subject: 'token',
  params: [...TOKEN, VS_CURRENCY, DAYS, INTERVAL, PRECISION],
  response: CHART,
  steps: DAYS_CHART_STEPS,
  cacheAgeS: CHART_CACHE_AGE_S['1d'],
})

export const tokenMarketChartRange = operation({
  id: 'coins/{id}/contract/{contract_address}/market_chart/range',
  summary: 'Price, market cap and 24-hour volume of a token between two times.',
  subject: 'token',
  params: [...TOKEN, VS_CURRENCY, FROM, TO, INTERVAL, PRECISION],
  response: CHART,
  steps: RANGE_CHART_STEPS,
  cacheAgeS: CHART_CACHE_AGE_S['1d'],
})
