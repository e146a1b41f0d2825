/**
 * Does work at most once in `everyMs`: `soon` does it at once, or when the time is over, so that the last change is never
 * left out. `now` does it whatever the time. A wait holds up no end of the process.
 */
export function inRhythm(work: () => Promise<void>, everyMs: number) {
  let doneAtMs = -Infinity
  let timer: NodeJS.Timeout | undefined
  const now = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    doneAtMs = performance.now()
    await work()
  }
  return {
    now,
    soon: (): void => {
      const restMs = doneAtMs + everyMs - performance.now()
      if (restMs <= 0) void now()
      else timer ??= setTimeout(() => void now(), restMs).unref()
    },
  }
}
