import type { Asking } from './asking.ts'

/** The time that a batch has. */
export interface BatchTurn {
  /** No page begins after this signal: the time is over, the batch was stopped, or all keys must wait. */
  over: AbortSignal
  endsAtMs: number
  isOver(): boolean
  /** Whether an error only says that the batch is over. */
  isOverBy(error: unknown): boolean
  /** Ends the batch before its time. */
  end(): void
  /** For the next page. */
  asking(): Asking
}

/**
 * A batch begins no page after `lengthMs`, and sends nothing after `stopped` has fired: a run that is
 * paused or cancelled.
 */
export function batchTurn(
  lengthMs: number,
  stopped: AbortSignal,
  mayUseReserve: boolean,
): BatchTurn {
  const ended = new AbortController()
  const over = AbortSignal.any([stopped, ended.signal, AbortSignal.timeout(lengthMs)])
  const endsAtMs = Date.now() + lengthMs
  return {
    over,
    endsAtMs,
    isOver: () => over.aborted || Date.now() >= endsAtMs,
    isOverBy: (error) => over.aborted && (error === over.reason || error === stopped.reason),
    end: () => ended.abort(),
    asking: () => ({ over, stopped, mayUseReserve, calls: 0 }),
  }
}
