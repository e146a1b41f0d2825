import { randomUUID } from 'node:crypto'
import type { GetOptions, SourceAnswer } from '../../api/client.ts'
import { SourceError } from '../../api/errors.ts'
import { type OperationId, operations } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import { CoinlakeError } from '../../config/coinlake-error.ts'
import type { PageDeps } from '../activity-deps.ts'
import type { PageCalls } from './batch-time.ts'
import { judgeFault, noteAnswer } from './judge-fault.ts'
import { noteLostRequest } from './lost-requests.ts'
import { isThrottled, type ThrottledAnswer } from './throttled-answer.ts'

export interface SourceRequest {
  sliceId: string
  operation: OperationId
  params: ParamValues
}

/** A good answer that can still be recorded as lost. */
export type GoodAnswer = Extract<SourceAnswer, { kind: 'ok' }> & {
  requestedAtMs: number
  /** Records the calls of an answer that no load will record. After a success, further uses do nothing. */
  recordLost(code: string): Promise<void>
}

export type AskDeps = Pick<PageDeps, 'runId' | 'client' | 'stageDir'>

/**
 * Asks the source and hands a good answer to `use`. Every request without a page is recorded for the ledger: refused,
 * failed, answered with 429, or lost because `use` failed or met a 429 itself.
 *
 * @throws the errors of the client and of `use`.
 */
export async function askSource<T>(
  { runId, client, stageDir }: AskDeps,
  request: SourceRequest,
  pageCalls: PageCalls,
  use: (answer: GoodAnswer) => Promise<T | ThrottledAnswer>,
): Promise<T | ThrottledAnswer> {
  const { sliceId, operation, params } = request
  const requestedAtMs = Date.now()
  let calls = 0
  let url: string = operation
  let status: number | null = null
  const requestId = randomUUID()
  let isNoted = false
  const recordLost = async (code: string): Promise<void> => {
    if (calls === 0 || isNoted) return
    const durationMs = Date.now() - requestedAtMs
    const facts = { operation, url, status, code, requestedAtMs, durationMs, calls }
    await noteLostRequest(stageDir, { requestId, runId, sliceId, ...facts })
    isNoted = true
  }
  const onSent = (): void => {
    calls += 1
    pageCalls.callsMade += 1
  }
  const getOptions: GetOptions = {
    sendingStop: () =>
      pageCalls.callsMade === 0 ? pageCalls.firstCallStop : pageCalls.furtherCallsStop,
    mayUseReserve: pageCalls.mayUseReserve,
    onSent,
  }
  try {
    const answer = await client.get(operations[operation], params, getOptions)
    url = answer.url
    status = answer.status
    noteAnswer(client, answer)
    if (answer.kind === 'throttled') {
      await recordLost('THROTTLED')
      return { kind: 'throttled', throttledUntilMs: answer.untilMs }
    }
    // No copy, so that `use` can let the parsed body go.
    const used = await use(Object.assign(answer, { requestedAtMs, recordLost }))
    if (isThrottled(used)) await recordLost('THROTTLED')
    return used
  } catch (error) {
    let raised = error
    if (error instanceof SourceError) {
      url = error.facts.url ?? url
      status = error.facts.status ?? status
      // judgeFault may ping the service. If a stop or a spent month prevents the ping, the page ends with that reason.
      raised = await judgeFault(client, error, getOptions).catch((reason: unknown) => reason)
    }
    // The first fault is reported, not a fault of its record.
    await recordLost(codeOf(raised instanceof SourceError ? raised : error, pageCalls)).catch(
      () => undefined,
    )
    throw raised
  }
}

function codeOf(error: unknown, { firstCallStop }: PageCalls): string {
  if (error instanceof CoinlakeError) return error.code
  return firstCallStop.aborted ? 'ABORTED' : 'UNEXPECTED'
}
