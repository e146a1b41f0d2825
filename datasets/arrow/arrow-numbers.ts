import { DAY_MS } from '../../api/granularity.ts'
import { type ColumnData, isList, type Numbers } from './column-data.ts'
import { Validity } from './validity.ts'

/** Splits a 64-bit integer into two 32-bit halves. A BigInt per value costs 20 times more. */
const TWO_POW_32 = 2 ** 32

/** One number per row, from any form of column data. @throws Error when a value is no number */
export function numbersOf(data: ColumnData, rowCount: number, where: string): Numbers {
  if (!isList(data)) {
    if ('numbers' in data) return data
    const { constant } = data
    const numbers = new Float64Array(rowCount)
    if (constant === null) return { numbers, validity: Validity.none(rowCount) }
    return { numbers: numbers.fill(requireNumber(constant, where)) }
  }
  const numbers = new Float64Array(rowCount)
  const validity = new Validity(rowCount)
  for (let row = 0; row < rowCount; row++) {
    const value = data[row]!
    if (value === null) validity.setNull(row)
    else numbers[row] = requireNumber(value, where)
  }
  return { numbers, validity }
}

function requireNumber(value: unknown, where: string): number {
  if (typeof value === 'number') return value
  throw new Error(`${where}: not a number: ${JSON.stringify(value)}`)
}

/** Each number times `factor` as a 64-bit integer; exact below 2^53. */
export function int64(numbers: Float64Array, factor: number): BigInt64Array {
  const halves = new Int32Array(numbers.length * 2)
  for (let i = 0; i < numbers.length; i++) {
    const scaled = numbers[i]! * factor
    halves[2 * i] = scaled
    halves[2 * i + 1] = Math.floor(scaled / TWO_POW_32)
  }
  return new BigInt64Array(halves.buffer)
}

export function epochDays(numbers: Float64Array): Int32Array {
  const result = new Int32Array(numbers.length)
  for (let i = 0; i < numbers.length; i++) result[i] = Math.floor(numbers[i]! / DAY_MS)
  return result
}
