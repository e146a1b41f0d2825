import { setTimeout as sleep } from 'node:timers/promises'
import { SourceError } from '../../api/errors.ts'
import { failureFactsOf } from '../activity-failure.ts'
import type { BatchTime } from './batch-time.ts'

/** A page fails for good after this many tries, in all its batches together. */
const MOST_TRIES = 6
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
/** The longest pause that a source can demand: six tries must come to an end. */
const LONGEST_DEMANDED_PAUSE_MS = 120_000

/**
 * Tries one page until it is fetched or the batch is over. After a fault that may pass it pauses as long as the source
 * demands, at most two minutes.
 *
 * @param page counts the failed tries of the slice's present page in all batches, without 429s. Only a page that was not
 *   staged before resets the count, because each batch passes the staged pages again.
 * @returns `left`: a page for a later batch. Its next try may begin at `notBeforeMs` of the local clock; 0 = at once
 * @throws the last fault, when a retry cannot help or the tries are used up.
 */
export async function tryPage<T extends { kind: string }>(
  ask: () => Promise<T>,
  page: { tries: number },
  turn: BatchTime,
): Promise<T | { kind: 'left'; notBeforeMs: number }> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (turn.isEndReason(error)) return { kind: 'left', notBeforeMs: 0 }
      page.tries += 1
      if (!failureFactsOf(error).isRetryable || page.tries >= MOST_TRIES) throw error
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (page.tries - 1))
      const nowMs = Date.now()
      const demandedMs = error instanceof SourceError ? (error.retryAtMs ?? 0) : 0
      const notBeforeMs = Math.max(
        nowMs + pauseMs,
        Math.min(demandedMs, nowMs + LONGEST_DEMANDED_PAUSE_MS),
      )
      if (turn.isOver() || notBeforeMs > turn.endsAtMs) return { kind: 'left', notBeforeMs }
      await sleep(notBeforeMs - nowMs, undefined, { signal: turn.over }).catch(() => undefined)
      if (turn.isOver()) return { kind: 'left', notBeforeMs }
    }
  }
}
