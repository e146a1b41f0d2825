import { Bool, type Data, Dictionary, Int32, makeData, Utf8, Vector } from 'apache-arrow'
import { type ColumnData, isList, scalarAt } from './column-data.ts'
import { nulls, Validity } from './validity.ts'

const utf8 = new TextEncoder()
const EMPTY = new Uint8Array(0)

/** Shared by all columns of one value or of nulls. No code changes a finished column. */
let zeros = new Int32Array(0)

function sharedZeros(length: number): Int32Array {
  if (zeros.length < length) zeros = new Int32Array(length)
  return zeros.subarray(0, length)
}

/** A column of repeating texts. Each distinct text is stored once. `id` is unique in the table. */
export function dictionaryData(
  data: ColumnData,
  rowCount: number,
  id: number,
  where: string,
): Data {
  const isConstant = !isList(data) && 'constant' in data && data.constant !== null
  const codes = isConstant ? sharedZeros(rowCount) : new Int32Array(rowCount)
  const validity = new Validity(rowCount)
  const words: string[] = []
  if (isConstant) {
    words.push(requireText(data.constant, where))
  } else {
    const codeOf = new Map<string, number>()
    for (let row = 0; row < rowCount; row++) {
      const value = scalarAt(data, row)
      if (value === null) {
        validity.setNull(row)
        continue
      }
      const text = requireText(value, where)
      let code = codeOf.get(text)
      if (code === undefined) {
        code = words.push(text) - 1
        codeOf.set(text, code)
      }
      codes[row] = code
    }
  }
  const type = new Dictionary(new Utf8(), new Int32(), id)
  const dictionary = new Vector([utf8Data(words, words.length, where)])
  return makeData({
    type,
    data: codes,
    dictionary,
    length: rowCount,
    ...nulls(validity),
  })
}

export function utf8Data(data: ColumnData, rowCount: number, where: string): Data<Utf8> {
  if (!isList(data) && 'constant' in data && data.constant === null) {
    const none = nulls(Validity.none(rowCount))
    const valueOffsets = sharedZeros(rowCount + 1)
    return makeData({ type: new Utf8(), valueOffsets, data: EMPTY, length: rowCount, ...none })
  }
  const valueOffsets = new Int32Array(rowCount + 1)
  const validity = new Validity(rowCount)
  const texts: string[] = []
  for (let row = 0; row < rowCount; row++) {
    const value = scalarAt(data, row)
    if (value === null) validity.setNull(row)
    // Without toWellFormed, half characters of neighbouring texts would join into one.
    texts.push(value === null ? '' : requireText(value, where).toWellFormed())
  }
  const bytes = encoded(texts, valueOffsets)
  return makeData({
    type: new Utf8(),
    valueOffsets,
    data: bytes,
    length: rowCount,
    ...nulls(validity),
  })
}

/** Encodes all texts as UTF-8 in one call, and writes the end of each into `valueOffsets`. */
function encoded(texts: readonly string[], valueOffsets: Int32Array): Uint8Array {
  const whole = texts.join('')
  const bytes = utf8.encode(whole)
  const isAscii = bytes.length === whole.length
  texts.forEach((text, row) => {
    const length = isAscii ? text.length : Buffer.byteLength(text)
    valueOffsets[row + 1] = valueOffsets[row]! + length
  })
  return bytes
}

function requireText(value: unknown, where: string): string {
  if (typeof value === 'string') return value
  throw new Error(`${where}: not a text: ${JSON.stringify(value)}`)
}

/** A column of booleans as two bitmaps. @throws Error for any other value than true, false and null */
export function booleanData(data: ColumnData, rowCount: number, where: string): Data {
  const bits = new Uint8Array(Math.ceil(rowCount / 8))
  const validity = new Validity(rowCount)
  for (let row = 0; row < rowCount; row++) {
    const value = scalarAt(data, row)
    if (value === null) validity.setNull(row)
    else if (value === true) bits[row >> 3]! |= 1 << (row & 7)
    else if (value !== false) throw new Error(`${where}: not a boolean: ${JSON.stringify(value)}`)
  }
  return makeData({ type: new Bool(), data: bits, length: rowCount, ...nulls(validity) })
}
