import { ApplicationFailure, CancelledFailure } from '@temporalio/activity'
import { CoinlakeError } from '../config/coinlake-error.ts'
import { cutText } from './cut-text.ts'
import { failedCallsOf } from './failed-calls.ts'

/** A URL may carry a hundred coin ids, and every failed attempt stays in the history. */
const MAX_MESSAGE_CHARS = 600

/** What workflows and the command line need of an error, kept in the failure's details. */
export interface FailureFacts {
  exitCode: number
  hint: string
  /** When the same can be asked again with success, epoch ms; absent = nobody knows. */
  untilMs?: number
  /** Physical requests that led to it, for the log; absent = none is known. */
  calls?: number
}

/**
 * The only place where our errors become Temporal failures. `type` is the stable code, `details[0]`
 * the exit code and hint; an error is retried only when it says so itself (`retryable`), because
 * Temporal is the one owner of retries. Stacks go along only for errors that nobody expected.
 */
export function toApplicationFailure(error: unknown): Error {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error
  if (error instanceof CoinlakeError) {
    const facts: FailureFacts = { exitCode: error.exitCode, hint: error.hint }
    if ('untilMs' in error && typeof error.untilMs === 'number') facts.untilMs = error.untilMs
    const calls = failedCallsOf(error)
    if (calls > 0) facts.calls = calls
    const isRetryable = 'retryable' in error && error.retryable === true
    return ApplicationFailure.create({
      message: cutText(error.message, MAX_MESSAGE_CHARS),
      type: error.code,
      nonRetryable: !isRetryable,
      details: [facts],
    })
  }
  const message = error instanceof Error ? error.message : String(error)
  return ApplicationFailure.create({
    message: cutText(message, MAX_MESSAGE_CHARS),
    type: 'UNEXPECTED',
    nonRetryable: true,
    details: [{ exitCode: 1, hint: 'This is a bug: please report it.' } satisfies FailureFacts],
    ...(error instanceof Error ? { cause: error } : {}),
  })
}
