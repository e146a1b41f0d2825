import { fetch } from 'undici'
import { createDispatcher } from '../../api/http-dispatcher.ts'
import { runProgram } from '../../config/run-program.ts'
import { printableJson } from '../../config/values/foreign-text.ts'
import { redact } from '../../config/values/redact.ts'
import type { AlertsConfig } from '../../config/settings/read-watching.ts'
import type { Alert } from './alert.ts'
import { programEnv } from './program-env.ts'

/** A receiver that takes longer counts as down. The alert is sent again later. */
const TIMEOUT_MS = 10_000

export interface SendOptions {
  /** Names the proxy of a POST. A program gets a part of it (program-env.ts). */
  env: Readonly<Record<string, string | undefined>>
  timeoutMs?: number
  /** Aborts the send; the alert is then not accepted. */
  signal?: AbortSignal
}

/**
 * Sends an alert once, as JSON: by POST, or to a program's standard input. Its id is in the header `Idempotency-Key` or
 * the variable COINLAKE_ALERT_ID.
 *
 * @throws Error with the receiver's reason, without its address.
 */
export async function sendAlert(
  target: AlertsConfig['target'],
  alert: Alert,
  { env, timeoutMs = TIMEOUT_MS, signal }: SendOptions,
): Promise<void> {
  if (target.kind === 'command') {
    const input = printableJson(alert)
    const programmed = { env: programEnv(alert, env), input, timeoutMs, signal }
    const { ok, reason } = await runProgram(target.argv, programmed)
    if (ok) return
    throw new Error(`${target.argv[0]}: ${reason}`)
  }
  const url = target.url.reveal()
  const { origin } = new URL(url)
  const connection = { concurrency: 1, timeoutMs, caFile: null, env }
  const dispatcher = createDispatcher({ rootUrl: url, ...connection })
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': `coinlake/${alert.coinlakeVersion}`,
        'idempotency-key': alert.id,
      },
      body: printableJson(alert),
      // A redirect is an error: the alert is only for this address.
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
      dispatcher,
    })
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`it answers ${answer.status}`)
  } catch (error) {
    throw new Error(`POST ${origin}: ${redact(reasonOf(error), target.url)}`, { cause: error })
  } finally {
    await dispatcher.destroy()
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (['TimeoutError', 'AbortError'].includes(error.name)) return 'no answer in time'
  // The message of fetch is only `fetch failed`.
  const cause = error.cause instanceof Error ? error.cause : null
  return cause === null ? error.message : cause.message || String((cause as { code?: string }).code)
}
