import { ApplicationFailure, CancelledFailure } from '@temporalio/activity'
import { CoinlakeError } from '../config/coinlake-error.ts'
import { cutText } from './cut-text.ts'
import { failedCallsOf } from './fetch/failed-calls.ts'

/** A URL may carry a hundred coin ids, and every failed attempt stays in the history. */
const MAX_MESSAGE_CHARS = 600

/** The facts of an error that workflows and the command line need; the failure's details carry them. */
export interface FailureFacts {
  exitCode: number
  hint: string
  /** The same request can succeed from this time on, epoch ms; absent = unknown. */
  untilMs?: number
  /** Requests sent before the error, for the log; absent = unknown. */
  calls?: number
}

/** An error as a slice's outcome carries it. */
export interface KnownFailure extends FailureFacts {
  code: string
  reason: string
  /** Whether the same request may succeed later. */
  isRetryable: boolean
}

/** The stable code, the text and the facts of any error. */
export function failureFactsOf(error: unknown): KnownFailure {
  const text = error instanceof Error ? error.message : String(error)
  const reason = cutText(text, MAX_MESSAGE_CHARS)
  if (!(error instanceof CoinlakeError)) {
    const hint = 'This is a bug: please report it.'
    return { code: 'UNEXPECTED', reason, exitCode: 1, hint, isRetryable: false }
  }
  const { code, exitCode, hint } = error
  const calls = failedCallsOf(error)
  return {
    code,
    reason,
    exitCode,
    hint,
    ...('untilMs' in error && typeof error.untilMs === 'number' ? { untilMs: error.untilMs } : {}),
    ...(calls > 0 ? { calls } : {}),
    isRetryable: 'retryable' in error && error.retryable === true,
  }
}

/**
 * The only place where our errors become Temporal failures. `type` is the stable code, `details[0]`
 * the exit code and hint; an error is retried only when it says so itself (`retryable`).
 */
export function toApplicationFailure(error: unknown): Error {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error
  const { code, reason, isRetryable, ...facts } = failureFactsOf(error)
  return ApplicationFailure.create({
    message: reason,
    type: code,
    nonRetryable: !isRetryable,
    details: [facts satisfies FailureFacts],
    // Only unexpected errors carry their stack.
    ...(error instanceof CoinlakeError || !(error instanceof Error) ? {} : { cause: error }),
  })
}
