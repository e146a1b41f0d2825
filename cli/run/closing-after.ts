/** Something to be undone when the work has ended, however it ended. */
export type Defer = (close: () => void | Promise<void>) => void

/**
 * Runs `work` and afterwards everything it deferred, the last first, also when it throws.
 *
 * @throws the error of `work`, else the first error of a closer
 */
export async function closingAfter<T>(work: (defer: Defer) => Promise<T>): Promise<T> {
  const closers: (() => void | Promise<void>)[] = []
  let result: T
  try {
    result = await work((close) => void closers.push(close))
  } catch (error) {
    await closeAll(closers.reverse()).catch(() => undefined)
    throw error
  }
  await closeAll(closers.reverse())
  return result
}

/** Runs work on something open and closes it afterwards. @throws as `closingAfter` */
export async function withOpen<O extends { close(): void | Promise<void> } | null, T>(
  opening: O | Promise<O>,
  work: (open: O) => T | Promise<T>,
): Promise<T> {
  return await closingAfter(async (defer) => {
    const open = await opening
    defer(() => open?.close())
    return await work(open)
  })
}

/**
 * Closes one after the other, also when one of them throws: what stays open keeps the process from ending.
 *
 * @throws the first error of a closer
 */
export async function closeAll(closers: readonly (() => void | Promise<void>)[]): Promise<void> {
  const faults: unknown[] = []
  for (const close of closers) {
    try {
      await close()
    } catch (error) {
      faults.push(error)
    }
  }
  if (faults.length > 0) throw faults[0]
}
