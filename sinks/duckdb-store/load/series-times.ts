import { type Data, DataType, type Table as ArrowTable } from 'apache-arrow'
import type { TableSpec } from '../../../datasets/dataset.ts'

const TWO_POW_32 = 2 ** 32

/**
 * The times of a page's rows, epoch microseconds. null: rows of several series, or times that do not increase.
 * Rows with times repeat no key and are sorted like their table.
 */
export function seriesTimes(rows: ArrowTable, table: TableSpec): Float64Array | null {
  const [batch] = rows.batches
  const timeColumn = table.sort.at(-1)
  if (batch === undefined || rows.batches.length > 1 || !isSortedByKey(table)) return null
  let times: Float64Array | null = null
  for (const [index, { name }] of rows.schema.fields.entries()) {
    if (!table.key.includes(name)) continue
    const data = batch.data.children[index]
    if (data === undefined) return null
    if (name === timeColumn) times = increasingTimes(data)
    else if (!isOneValue(data)) return null
  }
  return times
}

function isSortedByKey({ key, sort }: TableSpec): boolean {
  return sort.length === key.length && sort.every((name) => key.includes(name))
}

function isOneValue(data: Data): boolean {
  return DataType.isDictionary(data.type) && data.nullCount === 0 && data.dictionary?.length === 1
}

/** Reads each time as two 32-bit halves, because a BigInt per row would cost more than all the rest. */
function increasingTimes(data: Data): Float64Array | null {
  if (!DataType.isTimestamp(data.type) || data.nullCount > 0) return null
  const values = data.values as BigInt64Array
  const halves = new Int32Array(values.buffer, values.byteOffset, data.length * 2)
  const times = new Float64Array(data.length)
  let last = -Infinity
  for (let row = 0; row < times.length; row++) {
    const time = halves[2 * row + 1]! * TWO_POW_32 + (halves[2 * row]! >>> 0)
    if (time <= last) return null
    times[row] = time
    last = time
  }
  return times
}
