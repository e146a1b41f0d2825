/** The calls of one page: when they may leave, and their count. */
export interface PageCalls {
  /** After this signal the page's first call does not leave. */
  firstCallStop: AbortSignal
  /** Stops its further calls: a pause or cancellation. A page that paid for a call is finished when the time is over. */
  furtherCallsStop: AbortSignal
  mayUseReserve: boolean
  /** Calls of the page so far, with probes and pings. */
  callsMade: number
  /** Parameters that the source refused for this page. Later pages leave them out at once. */
  leftOut?: readonly string[]
}

export type BatchTime = ReturnType<typeof batchTime>

/** Begins a batch. The batch begins no page after `lengthMs`, and sends nothing after `stopped`: a pause or a cancellation. */
export function batchTime(lengthMs: number, stopped: AbortSignal, mayUseReserve: boolean) {
  const ended = new AbortController()
  const given: PageCalls[] = []
  const over = AbortSignal.any([stopped, ended.signal, AbortSignal.timeout(lengthMs)])
  const endsAtMs = Date.now() + lengthMs
  return {
    /** Fires when no further page may begin: the time is over, the batch was stopped, or all keys must wait. */
    over,
    endsAtMs,
    isOver: (): boolean => over.aborted || Date.now() >= endsAtMs,
    /** Whether the error comes from the batch's end, not from the page. */
    isEndReason: (error: unknown): boolean =>
      over.aborted && (error === over.reason || error === stopped.reason),
    end: (): void => ended.abort(),
    pageCalls(): PageCalls {
      const pageCalls: PageCalls = {
        firstCallStop: over,
        furtherCallsStop: stopped,
        mayUseReserve,
        callsMade: 0,
      }
      given.push(pageCalls)
      return pageCalls
    },
    /** Calls of all pages so far. */
    calls: (): number => given.reduce((sum, { callsMade }) => sum + callsMade, 0),
  }
}
