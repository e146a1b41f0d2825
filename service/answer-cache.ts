import { LRUCache } from 'lru-cache'
import type { OperationId, ParamValues } from '../api/operation.ts'

/** Written answers, for equal requests within the same second of the source's clock. */
export interface AnswerCache {
  get(operation: OperationId, params: ParamValues, nowMs: number): Uint8Array | undefined
  set(operation: OperationId, params: ParamValues, nowMs: number, bytes: Uint8Array): void
}

/** Enough for the requests that a page of an application repeats. */
const MAX_SIZE_BYTES = 32 * 1024 * 1024

/**
 * Keeps answers for one second of the source's clock. A served warehouse does not change, so equal
 * requests at one time have equal answers. A second is enough, because only bursts of equal requests
 * are costly, and the clock of a simulated market stands still.
 */
export function createAnswerCache(): AnswerCache {
  const cache = new LRUCache<string, Uint8Array>({
    maxSize: MAX_SIZE_BYTES,
    sizeCalculation: (bytes) => Math.max(1, bytes.byteLength),
  })
  return {
    get: (operation, params, nowMs) => cache.get(keyOf(operation, params, nowMs)),
    set: (operation, params, nowMs, bytes) => {
      cache.set(keyOf(operation, params, nowMs), bytes)
    },
  }
}

function keyOf(operation: OperationId, params: ParamValues, nowMs: number): string {
  const pairs = Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([operation, Math.floor(nowMs / 1_000), pairs])
}
