/** By the error that ended them: the physical requests that led to it. */
const calls = new WeakMap<object, number>()

/** Notes what a page has cost when it ends in an error. Pages may share one: what a ping said of the address. */
export function noteFailedCalls(error: unknown, made: number): void {
  if (error instanceof Error) calls.set(error, made)
}

/** How many requests an error has cost, pings that judged it included; 0 where none is known. */
export function failedCallsOf(error: unknown): number {
  return error instanceof Error ? (calls.get(error) ?? 0) : 0
}
