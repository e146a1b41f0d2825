import { setTimeout as sleep } from 'node:timers/promises'
import { failureFactsOf } from '../activity-failure.ts'
import type { BatchTurn } from './batch-turn.ts'

/** A page that has met so many faults, over all batches that it was in, has failed. */
const MOST_TRIES = 6
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000

/** A page that this batch could not bring: a later one tries again, with so many tries behind it. */
export interface LeftPage {
  kind: 'left'
  tries: number
  /** Not to be asked for before, epoch ms by the local clock; 0 = at any time. */
  notBeforeMs: number
}

/**
 * Asks for one page until it is there or the batch is over. A fault that may pass is waited out and tried
 * again, as long as the batch lasts.
 *
 * @param triesBefore faults that the page has met in earlier batches
 * @throws the last fault when it is not to be tried again.
 */
export async function tryPage<T>(
  ask: () => Promise<T>,
  triesBefore: number,
  turn: BatchTurn,
): Promise<T | LeftPage> {
  for (let tries = triesBefore; ;) {
    try {
      return await ask()
    } catch (error) {
      if (turn.isOverBy(error)) return { kind: 'left', tries, notBeforeMs: 0 }
      tries += 1
      if (!failureFactsOf(error).isRetryable || tries >= MOST_TRIES) throw error
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1))
      const notBeforeMs = Date.now() + pauseMs
      if (turn.isOver() || notBeforeMs > turn.endsAtMs) return { kind: 'left', tries, notBeforeMs }
      await sleep(pauseMs, undefined, { signal: turn.over }).catch(() => undefined)
      if (turn.isOver()) return { kind: 'left', tries, notBeforeMs }
    }
  }
}
