import type { ParamValues } from '../../api/operation.ts'

/**
 * A price as the parameter `precision` asks for it: rounded half away from zero to 0..18 decimal
 * places of its exact binary value, or as it is stored for `full` and where nothing is asked. Counts
 * and percentages are never rounded. null stays null.
 */
export function roundPrice<T>(price: T, { precision }: ParamValues): T | number {
  if (typeof price !== 'number' || precision === undefined || precision === 'full') return price
  return Number(price.toFixed(Number(precision)))
}
