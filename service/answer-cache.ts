import { LRUCache } from 'lru-cache'
import type { OperationId, ParamValues } from '../api/operation.ts'

/** Written answers that are asked for again within the same second of the source's clock. */
export interface AnswerCache {
  get(operation: OperationId, params: ParamValues, nowMs: number): Uint8Array | undefined
  set(operation: OperationId, params: ParamValues, nowMs: number, bytes: Uint8Array): void
}

/** Enough for what a page of an application asks for, again and again. */
const MAX_SIZE_BYTES = 32 * 1024 * 1024

/**
 * A warehouse does not change while it is served, so the same question at the same time has the same
 * answer. The real service keeps answers for minutes; here a second is enough, as a simulated
 * market's clock stands still and a burst of equal questions is what costs.
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
