import { setTimeout as wait } from 'node:timers/promises'
import {
  isGrpcDeadlineError,
  isGrpcServiceError,
  ServiceError,
  WorkflowFailedError,
} from '@temporalio/client'
import type { WorkflowHandle } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import type { RunReport } from '../../activities/run-report.ts'
import type { FailureFacts } from '../../activities/activity-failure.ts'
import { CoinlakeError, EXIT } from '../../config/coinlake-error.ts'
import type { ExitCode } from '../../config/coinlake-error.ts'
import type { exportWarehouse } from '../../workflows/export-warehouse.ts'
import { progressQuery } from '../../workflows/messages.ts'
import type { RunProgress } from '../../workflows/messages.ts'

const LOOK_EVERY_MS = 400
/** How long the server may be gone (it is restarted within seconds) before following gives up. */
const SERVER_GONE_MS = 60_000
/** The end of a run is waited for in stretches of this length: a call that is being repeated cannot be cancelled. */
const STRETCH_MS = 20_000
/** A worker answers within milliseconds, or is not there. */
const QUERY_MS = 5_000
/** A server that is started again, and workers that come back to it, take less. */
const SILENCE_MS = 20_000

/** A run that ended without a report: what failed, with the exit code it means. */
export class RunFailed extends CoinlakeError {
  override readonly exitCode: ExitCode

  constructor(message: string, facts: { code: string; hint: string; exitCode: number }) {
    super(message, facts)
    const known = Object.values(EXIT).find((code) => code === facts.exitCode)
    this.exitCode = known ?? EXIT.unexpected
  }
}

/** The calls that a follower of a run receives. */
export interface RunListener {
  /** About twice a second. */
  onProgress: (progress: RunProgress) => void
  /** Once each time nobody has answered for long: the worker is gone, the run stands still. */
  onSilence: (silentMs: number) => void
}

/**
 * Follows a run to its end, then gives the report. A server that goes away and comes back is waited
 * for, and so is a worker.
 *
 * @throws RunFailed when the run ended without a report; the signal's reason when it is aborted.
 */
export async function followRun(
  handle: WorkflowHandle<typeof exportWarehouse>,
  listener: RunListener,
  signal: AbortSignal,
  silenceMs: number = SILENCE_MS,
): Promise<RunReport> {
  const ended = new AbortController()
  const until = AbortSignal.any([signal, ended.signal])
  const looking = followProgress(handle, listener, until, silenceMs)
  const result = resultOf(handle, until)
  try {
    return await result
  } finally {
    ended.abort()
    // Nothing may be under way when the connection is closed: gRPC throws out of its own timer then.
    await looking
  }
}

/** A call that ends with the signal, and in any case after `timeoutMs`. */
function calling<T>(
  { client }: WorkflowHandle<typeof exportWarehouse>,
  signal: AbortSignal,
  timeoutMs: number,
  call: () => Promise<T>,
): Promise<T> {
  return client.withAbortSignal(signal, () => client.withDeadline(Date.now() + timeoutMs, call))
}

async function resultOf(
  handle: WorkflowHandle<typeof exportWarehouse>,
  signal: AbortSignal,
): Promise<RunReport> {
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
      if (!isFaultOfService(error)) throw error
      goneSinceMs ??= Date.now()
      if (Date.now() - goneSinceMs > SERVER_GONE_MS) throw error
      await wait(LOOK_EVERY_MS)
    }
  }
}

/** Whether the call failed, and not the run: the client wraps what the connection reports. */
function isFaultOfService(error: unknown): boolean {
  return isGrpcServiceError(error) || error instanceof ServiceError
}

async function followProgress(
  handle: WorkflowHandle<typeof exportWarehouse>,
  { onProgress, onSilence }: RunListener,
  signal: AbortSignal,
  silenceMs: number,
): Promise<void> {
  let answeredAtMs = Date.now()
  let isSilenceTold = false
  while (!signal.aborted) {
    // No worker or no server for a moment: the next look shows it.
    const progress = await calling(handle, signal, QUERY_MS, () =>
      handle.query(progressQuery),
    ).catch(() => null)
    if (signal.aborted) return
    const silentMs = Date.now() - answeredAtMs
    if (progress !== null) {
      onProgress(progress)
      answeredAtMs = Date.now()
      isSilenceTold = false
    } else if (silentMs > silenceMs && !isSilenceTold) {
      onSilence(silentMs)
      isSilenceTold = true
    }
    await wait(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** The failure that coinlake itself has raised in a workflow; undefined = the workflow ended otherwise. */
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

function runFailed(error: WorkflowFailedError): RunFailed {
  const cause = ownFailure(error)
  if (cause !== undefined) {
    const facts = cause.details?.[0] as FailureFacts | undefined
    return new RunFailed(cause.message, {
      code: cause.type ?? 'UNEXPECTED',
      hint: facts?.hint ?? 'Run it again with --debug.',
      exitCode: facts?.exitCode ?? EXIT.unexpected,
    })
  }
  return new RunFailed(`the run ended without a report: ${error.message}`, {
    code: 'RUN_LOST',
    hint: 'Run the same command again: it plans from the ledger and fetches only what is missing.',
    exitCode: EXIT.unexpected,
  })
}
