import type { PageLimits } from './page-limits.ts'

/** The time of a batch. */
export interface BatchTurn {
  /** Fires when no further page may begin: the time is over, the batch was stopped, or all keys must wait. */
  over: AbortSignal
  endsAtMs: number
  isOver(): boolean
  /** Whether the error comes from the batch's end, not from the page. */
  isEndReason(error: unknown): boolean
  /** Ends the batch before its time. */
  end(): void
  /** The limits of the next page. */
  pageLimits(): PageLimits
  /** Calls of all pages so far. */
  calls(): number
}

/** Begins a batch. The batch begins no page after `lengthMs`, and sends nothing after `stopped`: a pause or a cancellation. */
export function batchTurn(
  lengthMs: number,
  stopped: AbortSignal,
  mayUseReserve: boolean,
): BatchTurn {
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
        firstCallBy: over,
        furtherCallsBy: stopped,
        mayUseReserve,
        calls: 0,
      }
      given.push(limits)
      return limits
    },
    calls: () => given.reduce((sum, { calls }) => sum + calls, 0),
  }
}
