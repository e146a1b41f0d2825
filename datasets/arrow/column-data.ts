import type { Validity } from './validity.ts'

export type Scalar = number | string | boolean | null

/** One number per row. `validity` is absent when nothing is null. */
export interface Numbers {
  numbers: Float64Array
  validity?: Validity
}

/**
 * The values of one column, one per row. A timestamp is epoch ms, a date any epoch ms inside the UTC day.
 * `constant`: one value for all rows.
 */
export type ColumnData = { constant: Scalar } | Numbers | readonly Scalar[]

export type ColumnsByName = Readonly<Record<string, ColumnData>>

/** The number of rows; null: a constant fits any number of rows. */
export function rowCountOf(data: ColumnData): number | null {
  if (isList(data)) return data.length
  return 'constant' in data ? null : data.numbers.length
}

/** A guard of its own: Array.isArray does not narrow readonly arrays. */
export function isList(data: ColumnData): data is readonly Scalar[] {
  return Array.isArray(data)
}

export function scalarAt(data: ColumnData, row: number): Scalar {
  if (isList(data)) return data[row]!
  if ('constant' in data) return data.constant
  return data.validity?.isNull(row) === true ? null : data.numbers[row]!
}
