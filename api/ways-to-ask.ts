import { type OperationId, operations } from './operations.ts'
import type { ParamValues } from './operations/describe-operation.ts'

/**
 * Parameters that a strict provider may refuse. Without them an answer has less, or another order, but is still right.
 * Without `order`, activities/fetch/universe-checks.ts proves that the coins are the largest. Parameters that choose
 * the content, such as `ids`, are missing here.
 */
const EXTRAS: ReadonlySet<string> = new Set([
  'order',
  'price_change_percentage',
  'include_platform',
  'localization',
  'tickers',
  'include_categories_details',
  'include_exchange_logo',
  'depth',
  'include_market_cap',
  'include_24hr_vol',
  'include_24hr_change',
  'include_last_updated_at',
  'precision',
  // A service that refuses it always sends the contracts.
  'include_tickers',
])

/** These stay even at their default, because a request without a page has no next page. */
const PAGING: ReadonlySet<string> = new Set(['page', 'per_page'])

/** Listings that a service may return whole. */
const WHOLE_LISTINGS: ReadonlySet<OperationId> = new Set([
  'exchanges',
  'exchanges/{id}/tickers',
  'derivatives/exchanges',
])

/** Parameters whose value is their default, such as `days=1` of a volume chart. */
function presets(operation: OperationId, params: ParamValues): string[] {
  return operations[operation].params
    .filter(({ name, default: preset }) => preset !== undefined && preset === params[name])
    .flatMap(({ name }) => (PAGING.has(name) ? [] : [name]))
}

/**
 * The ways to ask for the same thing, the best first. A strict service refuses parameters that it does not know.
 * - as given
 * - without extras and presets
 * - without pages, for the first page of some listings
 */
export function waysToAsk(operation: OperationId, params: ParamValues): readonly ParamValues[] {
  const plain = without(params, new Set([...EXTRAS, ...presets(operation, params)]))
  const isFirstPage = params['page'] === '1'
  const whole = WHOLE_LISTINGS.has(operation) && isFirstPage ? without(plain, PAGING) : plain
  const size = (way: ParamValues): number => Object.keys(way).length
  return [params, plain, whole].filter(
    (way, index, ways) => index === 0 || size(way) < size(ways[index - 1]!),
  )
}

function without(params: ParamValues, names: ReadonlySet<string>): ParamValues {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.has(name)))
}
