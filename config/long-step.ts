import { setImmediate as otherWork } from 'node:timers/promises'
import pLimit from 'p-limit'

/** The longest step since the last `takeLongestStep`. One per process, because all steps share its thread. */
let longest: LongStep | null = null
/** One step for each turn of the event loop. Many at once would hold up a load's answers from DuckDB. */
const inTurn = pLimit(1)

/** A step that held the thread. The name is for logs: `reading GET <url> (12 bytes)`. */
export interface LongStep {
  name: string
  tookMs: number
}

/**
 * Runs a step that may hold the thread for milliseconds, after the steps before it and after the work that waits for
 * the thread. Keeps its time for the watch.
 */
export function runLongStep<T>(name: () => string, work: () => T): Promise<T> {
  return inTurn(async () => {
    await otherWork()
    return timeLongStep(name, work)
  })
}

/** Runs a long step at once, as the second half of one that had its turn. Keeps its time for the watch. */
export function timeLongStep<T>(name: () => string, work: () => T): T {
  const startedMs = performance.now()
  try {
    return work()
  } finally {
    const tookMs = performance.now() - startedMs
    if (tookMs > (longest?.tookMs ?? 0)) longest = { name: name(), tookMs }
  }
}

/** The longest step since the last call; null = none. */
export function takeLongestStep(): LongStep | null {
  const taken = longest
  longest = null
  return taken
}
