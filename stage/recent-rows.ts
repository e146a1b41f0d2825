import { LRUCache } from 'lru-cache'
import type { StagedPage, TableRows } from './page-stage.ts'

/** Room for two batches and a load of charts at 65 bytes a row. 32 MB were too few. */
const MAX_BYTES = 64 * 1024 * 1024

/** Rows of recent pages by `rowsName`, kept until their load. The least recently used leave above `maxBytes`. */
export function recentRows(maxBytes = MAX_BYTES): LRUCache<string, readonly TableRows[]> {
  return new LRUCache({ maxSize: maxBytes, sizeCalculation: sizeOf })
}

/** The name of a page's rows. They belong to an answer, not to its file, which another process may have written anew. */
export function rowsName({ key, requestedAtMs, body }: StagedPage): string {
  const { sliceId, generation, step, page } = key
  return [sliceId, generation, step, page, requestedAtMs, body.sha256].join(' ')
}

/** Bytes of the rows; at least 1, because the cache refuses 0. */
function sizeOf(tables: readonly TableRows[]): number {
  const batches = tables.flatMap(({ rows }) => rows.batches)
  return batches.reduce((sum, { data }) => sum + data.byteLength, 1)
}
