import {
  AsyncByteQueue,
  Field,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
} from 'apache-arrow'
import type { DuckDBValue } from '@duckdb/node-api'
import { arrowColumn } from './arrow-column.ts'
import type { InstantText } from './instant-text.ts'
import type { Output } from './output.ts'
import type { QueryResult } from './query-result.ts'

/** Rows of a record batch: large enough for readers, small enough for us to hold. */
const BATCH_ROWS = 65_536

/** An Arrow IPC stream; at most one batch is held in memory. */
export async function writeArrow(
  result: QueryResult,
  output: Output,
  instant: InstantText,
  zone: string,
): Promise<void> {
  const columns = result.types.map((type) => arrowColumn(type, instant, zone))
  const fields = columns.map(({ type }, index) => new Field(result.names[index] ?? '', type, true))
  const schema = new Schema(fields)
  const bytes = new ByteCollector()
  const stream = new RecordBatchStreamWriter()
  stream.reset(bytes, schema)
  let pending: DuckDBValue[][] = columns.map(() => [])

  const flush = async (): Promise<void> => {
    const length = pending[0]?.length ?? 0
    if (length > 0) {
      const children = columns.map((column, index) => column.build(pending[index] ?? []))
      const rows = makeData({ type: new Struct(fields), length, nullCount: 0, children })
      stream.write(new RecordBatch(schema, rows))
      pending = columns.map(() => [])
    }
    await output.write(bytes.take())
  }

  for await (const chunk of result.chunks) {
    columns.forEach((_, index) => pending[index]?.push(...chunk.getColumnValues(index)))
    if ((pending[0]?.length ?? 0) >= BATCH_ROWS) await flush()
  }
  await flush()
  stream.finish()
  await output.write(bytes.take())
}

/** Where Arrow's writer writes; emptied by hand, as its own queue would grow before a slow reader. */
class ByteCollector extends AsyncByteQueue {
  #parts: Uint8Array[] = []

  override write(chunk: unknown): void {
    if (!ArrayBuffer.isView(chunk)) return
    this.#parts.push(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength))
  }

  /** Everything written since the last call. */
  take(): Uint8Array {
    const bytes = Buffer.concat(this.#parts)
    this.#parts = []
    return bytes
  }
}
