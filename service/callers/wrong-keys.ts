import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../config/clock.ts'

/** So many wrong keys of an address are answered at once. Later answers wait. */
export const FREE_WRONG_KEYS = 5
export const WRONG_KEY_WAIT_MS = 1_000
/** Most answers that wait at once, over all addresses: each holds a connection. */
const MOST_WAITING = 100
/** After this time without a wrong key, an address counts as new. */
const FORGOTTEN_MS = 60_000
const MOST_ADDRESSES = 1_000

export type WrongKeys = ReturnType<typeof createWrongKeys>

/** Counts the wrong keys of each address. A right key never waits. */
export function createWrongKeys(
  clock: Clock,
  onCount: (address: string, count: number) => void,
  pause: (ms: number) => Promise<unknown> = sleep,
) {
  const seen = new LRUCache<string, { count: number; lastMs: number }>({ max: MOST_ADDRESSES })
  let waiting = 0
  return {
    /** Counts a wrong key, and waits; false = too many answers wait already. */
    async note(address: string): Promise<boolean> {
      const nowMs = clock.nowMs()
      const known = seen.get(address)
      const before = known !== undefined && nowMs - known.lastMs < FORGOTTEN_MS ? known.count : 0
      const count = before + 1
      seen.set(address, { count, lastMs: nowMs })
      if (/^10*$/.test(String(count))) onCount(address, count)
      if (count <= FREE_WRONG_KEYS) return true
      if (waiting >= MOST_WAITING) return false
      waiting += 1
      await pause(WRONG_KEY_WAIT_MS)
      waiting -= 1
      return true
    },
  }
}
