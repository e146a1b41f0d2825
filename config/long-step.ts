/** The step that took longest since it was last asked for; a process has one thread for them all. */
let longest: LongStep | null = null

/** Work that holds the thread, named as a log names it: `reading GET <url> (12 bytes)`. */
export interface LongStep {
  name: string
  tookMs: number
}

/** Runs a step that may hold the thread for long, and remembers it for the watch of the event loop. */
export function longStep<T>(name: () => string, work: () => T): T {
  const startedMs = performance.now()
  try {
    return work()
  } finally {
    const tookMs = performance.now() - startedMs
    if (tookMs > (longest?.tookMs ?? 0)) longest = { name: name(), tookMs }
  }
}

/** The longest step since the last call; null = there was none. */
export function takeLongStep(): LongStep | null {
  const taken = longest
  longest = null
  return taken
}
