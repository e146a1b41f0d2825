/** The source said wait (429), or all keys have to wait. */
export interface ThrottledAnswer {
  kind: 'throttled'
  throttledUntilMs: number
}

export function isThrottled(used: unknown): used is ThrottledAnswer {
  return (used as { kind?: unknown } | null)?.kind === 'throttled'
}
