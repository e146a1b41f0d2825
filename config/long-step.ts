/** The longest step since the last `takeLongestStep`. One per process, because all steps share its thread. */
let longest: LongStep | null = null

/** A step that held the thread. The name is for logs: `reading GET <url> (12 bytes)`. */
export interface LongStep {
  name: string
  tookMs: number
}

/** Runs a step that may hold the thread for long, and keeps its time for the watch. */
export function runLongStep<T>(name: () => string, work: () => T): T {
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
