import { setTimeout as wait } from 'node:timers/promises'
import {
  isGrpcDeadlineError,
  isGrpcServiceError,
  ServiceError,
  WorkflowFailedError,
} from '@temporalio/client'
import { ApplicationFailure, TerminatedFailure } from '@temporalio/common'
import type { RunReport } from '../../activities/run-report.ts'
import type { FailureDetails } from '../../activities/activity-failure.ts'
import { CoinlakeError, EXIT, type ExitCode } from '../../config/coinlake-error.ts'
import type { RunProgress } from '../../workflows/messages.ts'
import { lookAt, RETIRED, type RunHandle } from './open-run.ts'
import { signOf } from './signs-of-worker.ts'
import type { LookSign, WorkerSigns } from './signs-of-worker.ts'

const LOOK_EVERY_MS = 400
/** A server restarts within seconds. After this time without it, following ends. */
const SERVER_GONE_MS = 60_000
/** Longest single wait for the end of a run: while the client repeats a call, it ignores the signal. */
const STRETCH_MS = 20_000
const ANSWER_MS = 5_000

export class RunFailed extends CoinlakeError {
  override readonly exitCode: ExitCode

  constructor(message: string, facts: { code: string; hint: string; exitCode: number }) {
    super(message, facts)
    const known = Object.values(EXIT).find((code) => code === facts.exitCode)
    this.exitCode = known ?? EXIT.unexpected
  }
}

/** Called about twice a second. `progress`: null = not known at the moment. */
type OnLook = (sign: LookSign, progress: RunProgress | null) => Promise<void> | void

/**
 * Follows a run to its end and returns the report. A server or worker that goes away may come back.
 *
 * @throws RunFailed when the run ended without a report; the signal's reason when it is aborted.
 */
export async function followRun(
  handle: RunHandle,
  onLook: OnLook,
  signal: AbortSignal,
): Promise<RunReport> {
  const ended = new AbortController()
  const until = AbortSignal.any([signal, ended.signal])
  const looking = followProgress(handle, onLook, until)
  try {
    return await resultOf(handle, until)
  } finally {
    ended.abort()
    // gRPC would throw out of its own timer if the connection were closed during a call.
    await looking
  }
}

/**
 * Makes a call that ends with the signal, and after `timeoutMs` at the latest. Each call has a signal of its own, because
 * the client adds a listener that keeps the call in memory, and never removes it.
 */
async function calling<T>(
  { client }: RunHandle,
  signal: AbortSignal,
  timeoutMs: number,
  call: () => Promise<T>,
): Promise<T> {
  const ended = new AbortController()
  const end = (): void => ended.abort(signal.reason)
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  try {
    const within = (): Promise<T> => client.withDeadline(Date.now() + timeoutMs, call)
    return await client.withAbortSignal(ended.signal, within)
  } finally {
    signal.removeEventListener('abort', end)
  }
}

async function resultOf(handle: RunHandle, signal: AbortSignal): Promise<RunReport> {
  let goneSinceMs: number | null = null
  for (;;) {
    signal.throwIfAborted()
    try {
      return await calling(handle, signal, STRETCH_MS, () => handle.result())
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof WorkflowFailedError) throw runFailed(error)
      if (isGrpcDeadlineError(error)) {
        goneSinceMs = null
        continue
      }
      // The client wraps errors of the connection. All others are of the run.
      if (!isGrpcServiceError(error) && !(error instanceof ServiceError)) throw error
      goneSinceMs ??= Date.now()
      if (Date.now() - goneSinceMs > SERVER_GONE_MS) throw error
      await wait(LOOK_EVERY_MS)
    }
  }
}

async function followProgress(
  handle: RunHandle,
  onLook: OnLook,
  signal: AbortSignal,
): Promise<void> {
  let before: WorkerSigns | null = null
  while (!signal.aborted) {
    // null: no server at the moment, or the run has just ended.
    const run = await calling(handle, signal, ANSWER_MS, () => lookAt(handle, null)).catch(
      () => null,
    )
    if (signal.aborted) return
    const sign = run === null ? 'silent' : signOf(run.signs, before ?? run.signs, Date.now())
    before = run?.signs ?? before
    await onLook(sign, run?.progress ?? null)
    await wait(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** The failure that coinlake has raised in a workflow; undefined = the workflow ended otherwise. */
export function ownFailure(error: unknown): ApplicationFailure | undefined {
  let cause: unknown = error
  while (
    cause instanceof Error &&
    !(cause instanceof ApplicationFailure) &&
    cause.cause !== undefined
  ) {
    cause = cause.cause
  }
  return cause instanceof ApplicationFailure ? cause : undefined
}

/** The codes of runs that another one may go on with at once. The ledger has everything that they have done. */
export const NOT_REPLAYED = 'RUN_NOT_REPLAYED'
export const BROKEN_OFF = 'RUN_BROKEN_OFF'
const AGAIN =
  'Run the same command again: it plans from the ledger and fetches only what is missing.'
/** The SDK's own mark of such a failure, which has no type. */
const NOT_REPLAYED_TEXT = '[TMPRL1100]'

export function runFailed(error: WorkflowFailedError): RunFailed {
  const cause = ownFailure(error)
  if (cause?.message.startsWith(NOT_REPLAYED_TEXT) === true) {
    return new RunFailed(`Temporal cannot go on with the run: ${cause.message}`, {
      code: NOT_REPLAYED,
      hint: AGAIN,
      exitCode: EXIT.unexpected,
    })
  }
  if (cause !== undefined) {
    const facts = cause.details?.[0] as FailureDetails | undefined
    return new RunFailed(cause.message, {
      code: cause.type ?? 'UNEXPECTED',
      hint: facts?.hint ?? 'Run it again with --debug.',
      exitCode: facts?.exitCode ?? EXIT.unexpected,
    })
  }
  const isRetired = error.cause instanceof TerminatedFailure && error.cause.message === RETIRED
  return new RunFailed(`the run ended without a report: ${error.message}`, {
    code: isRetired ? BROKEN_OFF : 'RUN_LOST',
    hint: AGAIN,
    exitCode: EXIT.unexpected,
  })
}
