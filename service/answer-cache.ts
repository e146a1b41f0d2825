import { LRUCache } from 'lru-cache'
import type { OperationId } from '../api/operations.ts'
import type { ParamValues } from '../api/operations/describe-operation.ts'

/** Written answers, for equal requests within the same second of the source's clock. */
export interface AnswerCache {
  get(operation: OperationId, params: ParamValues, nowMs: number): Uint8Array | undefined
  set(operation: OperationId, params: ParamValues, nowMs: number, bytes: Uint8Array): void
}

/** Enough for the requests that a page of an application repeats. */
const MAX_SIZE_BYTES = 32 * 1024 * 1024

/**
 * Keeps answers for one second of the source's clock: only bursts of equal requests are costly. A served warehouse does
 * not change, so equal requests within a second have equal answers.
 */
export function createAnswerCache(): AnswerCache {
  const cache = new LRUCache<string, Uint8Array>({
    maxSize: MAX_SIZE_BYTES,
    sizeCalculation: (bytes) => Math.max(1, bytes.byteLength),
  })
  let second = NaN
  function dropOlderThan(nowMs: number): void {
    const now = Math.floor(nowMs / 1_000)
    if (now !== second) cache.clear()
    second = now
  }
  return {
    get: (operation, params, nowMs) => {
      dropOlderThan(nowMs)
      return cache.get(keyOf(operation, params))
    },
    set: (operation, params, nowMs, bytes) => {
      dropOlderThan(nowMs)
      // Node cuts small buffers from slabs of 64 KiB. A copy does not keep the whole slab in memory.
      const isWhole = bytes.byteLength === bytes.buffer.byteLength
      cache.set(keyOf(operation, params), isWhole ? bytes : new Uint8Array(bytes))
    },
  }
}

function keyOf(operation: OperationId, params: ParamValues): string {
  const pairs = Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([operation, pairs])
}
