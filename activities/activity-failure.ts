import { ApplicationFailure, CancelledFailure } from '@temporalio/activity'
import { CoinlakeError } from '../config/coinlake-error.ts'
import { cutText } from './cut-text.ts'
import type { FatalCause } from './run-report.ts'

/** Longer messages are cut: every failed attempt stays in the history, and a URL may have a hundred ids. */
const MAX_MESSAGE_CHARS = 600

/** The facts of an error in the details of its Temporal failure. */
export type FailureDetails = Omit<FatalCause, 'code' | 'reason'>

export interface FailureFacts extends FatalCause {
  /** Whether the same request may succeed later. */
  isRetryable: boolean
}

export function failureFactsOf(error: unknown): FailureFacts {
  const text = error instanceof Error ? error.message : String(error)
  const reason = cutText(text, MAX_MESSAGE_CHARS)
  if (!(error instanceof CoinlakeError)) {
    const hint = 'This is a bug: please report it.'
    return { code: 'UNEXPECTED', reason, exitCode: 1, hint, isRetryable: false }
  }
  const { code, exitCode, hint } = error
  return {
    code,
    reason,
    exitCode,
    hint,
    ...('untilMs' in error && typeof error.untilMs === 'number' ? { untilMs: error.untilMs } : {}),
    isRetryable: 'retryable' in error && error.retryable === true,
  }
}

/** The failure of a RunObserver. Temporal repeats the activity: its work is done, and must be reported. */
export function toRetriedFailure(error: unknown): Error {
  const { code, reason } = failureFactsOf(error)
  return ApplicationFailure.create({ message: reason, type: code, nonRetryable: false })
}

/**
 * Makes a Temporal failure of an error: `type` is the stable code, `details[0]` the FailureDetails. Temporal retries only
 * errors with `retryable: true`. No other place makes Temporal failures of coinlake's errors.
 */
export function toApplicationFailure(error: unknown): Error {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error
  const { code, reason, isRetryable, ...facts } = failureFactsOf(error)
  return ApplicationFailure.create({
    message: reason,
    type: code,
    nonRetryable: !isRetryable,
    details: [facts satisfies FailureDetails],
    // Only unexpected errors carry their stack.
    ...(error instanceof CoinlakeError || !(error instanceof Error) ? {} : { cause: error }),
  })
}
