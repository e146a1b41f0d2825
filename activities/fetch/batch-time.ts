/** The limits of one page, and its count of calls. */
export interface PageLimits {
  /** After this signal the page's first call does not leave. */
  firstCallStop: AbortSignal
  /** After this later signal its further calls do not leave. A paid answer is thus not wasted. */
  furtherCallsStop: AbortSignal
  mayUseReserve: boolean
  /** Calls of the page so far, with probes and pings. */
  callsMade: number
  /** Parameters that the source refused for this page. Later pages leave them out at once. */
  leftOut?: readonly string[]
}

/** The time of a batch. */
export interface BatchTime {
  /** Fires when no further page may begin: the time is over, the batch was stopped, or all keys must wait. */
  over: AbortSignal
  endsAtMs: number
  isOver(): boolean
  /** Whether the error comes from the batch's end, not from the page. */
  isEndReason(error: unknown): boolean
  end(): void
  pageLimits(): PageLimits
  /** Calls of all pages so far. */
  calls(): number
}

/** Begins a batch. The batch begins no page after `lengthMs`, and sends nothing after `stopped`: a pause or a cancellation. */
export function batchTime(
  lengthMs: number,
  stopped: AbortSignal,
  mayUseReserve: boolean,
): BatchTime {
  const ended = new AbortController()
  const given: PageLimits[] = []
  const over = AbortSignal.any([stopped, ended.signal, AbortSignal.timeout(lengthMs)])
  const endsAtMs = Date.now() + lengthMs
  return {
    over,
    endsAtMs,
    isOver: () => over.aborted || Date.now() >= endsAtMs,
    isEndReason: (error) => over.aborted && (error === over.reason || error === stopped.reason),
    end: () => ended.abort(),
    pageLimits() {
      const limits: PageLimits = {
        firstCallStop: over,
        furtherCallsStop: stopped,
        mayUseReserve,
        callsMade: 0,
      }
      given.push(limits)
      return limits
    },
    calls: () => given.reduce((sum, { callsMade }) => sum + callsMade, 0),
  }
}
