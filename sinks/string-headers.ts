import duckdb from '@duckdb/node-bindings'
import type { Data, Dictionary, Utf8, Vector } from 'apache-arrow'

/** Bytes of a DuckDB string in a vector: its length (4), then the text, or a prefix (4) and pointer. */
export const STRING_HEADER_BYTES = 16
const WORDS = STRING_HEADER_BYTES / 4

/**
 * The strings of one dictionary as DuckDB string headers of four 32-bit words. `pool` owns the bytes of long strings:
 * keep it as long as a header is in use.
 */
export interface StringHeaders {
  words: Uint32Array
  pool: readonly unknown[]
}

/**
 * Passes every distinct string to DuckDB once and reads its header back. A row then costs a copy of 16 bytes and no
 * JavaScript string. A load of codes with a join of a dictionary table is as fast, but needs a second table.
 */
export function stringHeaders(dictionary: Vector<Utf8>): StringHeaders {
  const words = new Uint32Array(dictionary.length * WORDS)
  const pool: unknown[] = []
  const capacity = duckdb.vector_size()
  let written = 0
  for (const data of dictionary.data) {
    for (let start = 0; start < data.length; start += capacity) {
      const rows = Math.min(capacity, data.length - start)
      pool.push(writePoolChunk(data, start, rows, words, written * WORDS))
      written += rows
    }
  }
  return { words, pool }
}

function writePoolChunk(
  data: Data<Utf8>,
  start: number,
  rows: number,
  words: Uint32Array,
  at: number,
): unknown {
  const chunk = duckdb.create_data_chunk([duckdb.create_logical_type(duckdb.Type.VARCHAR)])
  duckdb.data_chunk_set_size(chunk, rows)
  const vector = duckdb.data_chunk_get_vector(chunk, 0)
  for (let row = 0; row < rows; row += 1) {
    duckdb.vector_assign_string_element_len(vector, row, utf8Bytes(data, start + row))
  }
  const bytes = duckdb.vector_get_data(vector, rows * STRING_HEADER_BYTES)
  // The view shows DuckDB's memory, so it is copied at once. `slice` of a Buffer would share that memory.
  new Uint8Array(words.buffer, at * 4, bytes.byteLength).set(bytes)
  return { chunk, vector }
}

/** The UTF-8 bytes of one value, as a view. */
export function utf8Bytes(data: Data<Utf8>, row: number): Uint8Array {
  return data.values.subarray(data.valueOffsets[row] ?? 0, data.valueOffsets[row + 1] ?? 0)
}

/** Writes the headers of `rows` dictionary codes into `target`. A null of an empty dictionary gets the empty string. */
export function copyHeaders(
  data: Data<Dictionary>,
  { words }: StringHeaders,
  start: number,
  rows: number,
  target: Uint32Array,
): void {
  const codes = data.values as Int32Array
  for (let row = 0; row < rows; row += 1) {
    const to = row * WORDS
    const from = (codes[start + row] ?? 0) * WORDS
    target[to] = words[from] ?? 0
    target[to + 1] = words[from + 1] ?? 0
    target[to + 2] = words[from + 2] ?? 0
    target[to + 3] = words[from + 3] ?? 0
  }
}
