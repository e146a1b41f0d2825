/** Sent requests by the error that ended them. */
const calls = new WeakMap<object, number>()

/** Adds the requests of a failed page to its error. Pages may share one error: that of a ping. */
export function noteFailedCalls(error: unknown, made: number): void {
  if (error instanceof Error) calls.set(error, made)
}

/** Requests that led to an error, with the pings that judged it; 0 = unknown. */
export function failedCallsOf(error: unknown): number {
  return error instanceof Error ? (calls.get(error) ?? 0) : 0
}
