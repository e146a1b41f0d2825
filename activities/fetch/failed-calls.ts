/** Sent requests by the error that ended them. */
const calls = new WeakMap<object, number>()

/** Notes the requests of a failed page at its error. Pages that wait for one ping share its error. */
export function noteFailedCalls(error: unknown, made: number): void {
  if (error instanceof Error) calls.set(error, made)
}

/** Requests that led to an error, with the pings that examined it; 0 = unknown. */
export function failedCallsOf(error: unknown): number {
  return error instanceof Error ? (calls.get(error) ?? 0) : 0
}
