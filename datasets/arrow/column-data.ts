import type { Validity } from './validity.ts'

export type Scalar = number | string | boolean | null

/** Numbers filled by index; `validity` is left out when nothing is null. */
export interface Numbers {
  numbers: Float64Array
  validity?: Validity
}

/**
 * The values of one column, one per row; null is null. Numbers of a timestamp are epoch ms, of a date
 * any epoch ms inside the UTC day, of an integer safe integers. A constant is stored once and costs
 * next to nothing.
 */
export type ColumnData = { constant: Scalar } | Numbers | readonly Scalar[]

/** The dataset's own columns by name; order does not matter here. */
export type ColumnsByName = Readonly<Record<string, ColumnData>>

/** How many rows the values are for; null = as many as wanted. */
export function rowsOf(data: ColumnData): number | null {
  if (isList(data)) return data.length
  return 'constant' in data ? null : data.numbers.length
}

/** A guard of its own, because Array.isArray does not narrow readonly arrays. */
export function isList(data: ColumnData): data is readonly Scalar[] {
  return Array.isArray(data)
}

/** The value of one row. */
export function scalarAt(data: ColumnData, row: number): Scalar {
  if (isList(data)) return data[row]!
  if ('constant' in data) return data.constant
  return data.validity?.isNull(row) === true ? null : data.numbers[row]!
}
