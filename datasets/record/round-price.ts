import type { ParamValues } from '../../api/operations/describe-operation.ts'

/**
 * Rounds a price to `precision` decimal places (0 to 18), half away from zero, by its exact binary value. Without
 * `precision`, and for `full`, the price stays.
 */
export function roundPrice<T>(price: T, { precision }: ParamValues): T | number {
  if (typeof price !== 'number' || precision === undefined || precision === 'full') return price
  return Number(price.toFixed(Number(precision)))
}
