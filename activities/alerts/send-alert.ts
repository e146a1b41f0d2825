import { fetch } from 'undici'
import { createDispatcher } from '../../api/http-dispatcher.ts'
import { runProgram } from '../../config/run-program.ts'
import { printableJson } from '../../config/values/foreign-text.ts'
import { redact } from '../../config/values/redact.ts'
import type { AlertsConfig } from '../../config/settings/read-watching.ts'
import type { Alert } from './alert.ts'

/** The variables that an alert's program gets, to find its files and to know the user's language. */
const PASSED_NAMES = new Set(['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TZ', 'TMPDIR'])
/** Prefixes of variables for the locale, for folders, and for the program itself. */
const PASSED_PREFIXES = ['LC_', 'XDG_', 'COINLAKE_ALERT_']

/** A receiver that takes longer counts as down. The alert is sent again later. */
const TIMEOUT_MS = 10_000

export interface SendOptions {
  /** Names the proxy of a POST. A program gets a part of it (programEnv). */
  env: Readonly<Record<string, string | undefined>>
  timeoutMs?: number
  /** Aborts the send; the alert is then not accepted. */
  signal?: AbortSignal
}

/**
 * Sends an alert once, as JSON: by POST, or to a program's standard input. Its id is in the header `Idempotency-Key` or
 * the variable COINLAKE_ALERT_ID.
 *
 * @throws Error with the receiver's reason, and only the origin of its address.
 */
export async function sendAlert(
  receiver: AlertsConfig['receiver'],
  alert: Alert,
  { env, timeoutMs = TIMEOUT_MS, signal }: SendOptions,
): Promise<void> {
  if (receiver.kind === 'command') {
    const { ok, reason } = await runProgram(receiver.argv, {
      env: programEnv(alert, env),
      input: printableJson(alert),
      readsOutput: false,
      timeoutMs,
      signal,
    })
    if (ok) return
    throw new Error(`${receiver.argv[0]}: ${reason}`)
  }
  const url = receiver.url.reveal()
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
    throw new Error(`POST ${origin}: ${redact(reasonOf(error), receiver.url)}`, { cause: error })
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

/** The environment of an alert's program: the alert's id and event, but no keys and no proxy passwords. */
function programEnv(
  alert: Pick<Alert, 'id' | 'event'>,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      (PASSED_NAMES.has(entry[0]) || PASSED_PREFIXES.some((prefix) => entry[0].startsWith(prefix))),
  )
  return {
    ...Object.fromEntries(kept),
    COINLAKE_ALERT_ID: alert.id,
    COINLAKE_ALERT_EVENT: alert.event,
  }
}
