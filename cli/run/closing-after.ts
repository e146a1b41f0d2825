/** Something to be undone when the work has ended, however it ended. */
export type Defer = (close: () => void | Promise<void>) => void

/**
 * Runs `work` and afterwards everything it deferred, the last first, also when it throws. One flat
 * list instead of a `finally` in a `finally` for every part that must be closed in turn.
 */
export async function closingAfter<T>(work: (defer: Defer) => Promise<T>): Promise<T> {
  const closers: (() => void | Promise<void>)[] = []
  try {
    return await work((close) => void closers.push(close))
  } finally {
    for (const close of closers.reverse()) await close()
  }
}
