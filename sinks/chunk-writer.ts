import type { DuckDBDataChunk } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import {
  type Data,
  DataType,
  type Dictionary,
  type RecordBatch,
  type Utf8,
  type Vector,
} from 'apache-arrow'
import {
  copyHeaders,
  STRING_HEADER_BYTES,
  stringHeaders,
  type StringHeaders,
  utf8Bytes,
} from './string-headers.ts'

/**
 * Fills one reused DuckDB data chunk from Arrow record batches. The chunk's last column is the number of the page. The
 * caller checks types (arrow-into-duckdb.ts).
 */
export class ChunkWriter {
  /** Rows of a full chunk: DuckDB's vector size. */
  readonly capacity = duckdb.vector_size()
  readonly #chunk: DuckDBDataChunk
  readonly #vectors: duckdb.Vector[]
  readonly #headerWords: Uint32Array<ArrayBuffer>
  readonly #bools: Uint8Array<ArrayBuffer>
  readonly #dictionaries = new Map<Vector, StringHeaders>()
  #columns: Data[] = []
  #rowCount = 0
  readonly #pageNos: BigInt64Array<ArrayBuffer>

  constructor(chunk: DuckDBDataChunk) {
    this.#chunk = chunk
    this.#vectors = Array.from({ length: chunk.columnCount }, (_, index) =>
      duckdb.data_chunk_get_vector(chunk.chunk, index),
    )
    this.#headerWords = new Uint32Array((this.capacity * STRING_HEADER_BYTES) / 4)
    this.#bools = new Uint8Array(this.capacity)
    this.#pageNos = new BigInt64Array(this.capacity)
  }

  /** Sets the batch for the next fills. */
  begin(batch: RecordBatch, pageNo: bigint): void {
    this.#columns = batch.data.children
    this.#rowCount = batch.numRows
    this.#pageNos.fill(pageNo)
    // Only dictionaries of this batch stay in memory. Most repeat from batch to batch.
    const used = new Set(this.#columns.map((data) => data.dictionary))
    for (const known of this.#dictionaries.keys()) {
      if (!used.has(known)) this.#dictionaries.delete(known)
    }
  }

  /** The chunk with the rows from `start` on, at most `capacity`. Valid until the next fill. */
  fill(start: number): DuckDBDataChunk {
    const rows = Math.min(this.capacity, this.#rowCount - start)
    // `reset` frees the last strings and marks all rows as valid. Otherwise the last null mask would stay.
    this.#chunk.reset()
    this.#chunk.rowCount = rows
    for (const [index, data] of this.#columns.entries()) {
      const vector = this.#vectors[index]!
      this.#copyValues(vector, data, start, rows)
      if (data.nullCount > 0) this.#copyNulls(vector, data, start, rows)
    }
    duckdb.copy_data_to_vector(this.#vectors.at(-1)!, 0, this.#pageNos.buffer, 0, rows * 8)
    return this.#chunk
  }

  #copyValues(vector: duckdb.Vector, data: Data, start: number, rows: number): void {
    const { type } = data
    if (DataType.isDictionary(type)) {
      const codes = data as Data<Dictionary>
      copyHeaders(codes, this.#headersOf(codes), start, rows, this.#headerWords)
      const bytes = rows * STRING_HEADER_BYTES
      duckdb.copy_data_to_vector(vector, 0, this.#headerWords.buffer, 0, bytes)
    } else if (DataType.isUtf8(type)) {
      const texts = data as Data<Utf8>
      for (let row = 0; row < rows; row += 1) {
        if (!texts.getValid(start + row)) continue
        duckdb.vector_assign_string_element_len(vector, row, utf8Bytes(texts, start + row))
      }
    } else if (DataType.isBool(type)) {
      copyBits(data.values as Uint8Array, start, rows, this.#bools)
      duckdb.copy_data_to_vector(vector, 0, this.#bools.buffer, 0, rows)
    } else {
      const values = data.values as Float64Array | BigInt64Array | Int32Array
      const width = values.BYTES_PER_ELEMENT
      const from = values.subarray(start, start + rows)
      if (from.length < rows) throw new RangeError(`a column of ${rows} rows has ${from.length}`)
      const buffer = from.buffer as ArrayBuffer
      duckdb.copy_data_to_vector(vector, 0, buffer, from.byteOffset, rows * width)
    }
  }

  #copyNulls(vector: duckdb.Vector, data: Data, start: number, rows: number): void {
    const { nullBitmap: bitmap } = data
    duckdb.vector_ensure_validity_writable(vector)
    // A fill begins at a multiple of `capacity`, so at a whole byte.
    const from = bitmap.byteOffset + start / 8
    const bytes = (rows + 7) >> 3
    duckdb.copy_data_to_vector_validity(vector, 0, bitmap.buffer as ArrayBuffer, from, bytes)
  }

  #headersOf(data: Data<Dictionary>): StringHeaders {
    const dictionary = data.dictionary as Vector<Utf8>
    const known = this.#dictionaries.get(dictionary)
    if (known !== undefined) return known
    const headers = stringHeaders(dictionary)
    this.#dictionaries.set(dictionary, headers)
    return headers
  }
}

/** Turns one bit a row into one byte a row. */
function copyBits(bits: Uint8Array, firstBit: number, count: number, target: Uint8Array): void {
  for (let index = 0; index < count; index += 1) {
    const bit = firstBit + index
    target[index] = ((bits[bit >> 3] ?? 0) >> (bit & 7)) & 1
  }
}
