import { LRUCache } from 'lru-cache'
import type { OperationId } from '../api/operations.ts'
import type { ParamValues } from '../api/operations/describe-operation.ts'

/** Enough for the requests that a page of an application repeats. */
const MAX_SIZE_BYTES = 32 * 1024 * 1024

/**
 * Keeps written answers for one second of the source's clock: only bursts of equal requests are costly. A served warehouse does
 * not change, so equal requests within a second have equal answers.
 */
export function createAnswerCache() {
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
    get: (operation: OperationId, params: ParamValues, nowMs: number): Uint8Array | undefined => {
      dropOlderThan(nowMs)
      return cache.get(keyOf(operation, params))
    },
    set: (operation: OperationId, params: ParamValues, nowMs: number, bytes: Uint8Array): void => {
      dropOlderThan(nowMs)
      cache.set(keyOf(operation, params), bytes)
    },
  }
}

function keyOf(operation: OperationId, params: ParamValues): string {
  const pairs = Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([operation, pairs])
}
