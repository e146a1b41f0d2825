import type { Alert } from './alert.ts'

/** Variables that programs need for their files and for the user's language. */
const NAMES = new Set(['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TZ', 'TMPDIR'])
/** Locale, and variables meant for the program itself. */
const PREFIXES = ['LC_', 'XDG_', 'COINLAKE_ALERT_']

/**
 * The environment of an alert's program, without keys, proxy passwords and other programs' variables.
 * `COINLAKE_ALERT_ID` and `COINLAKE_ALERT_EVENT` say which alert it is.
 */
export function programEnv(
  alert: Pick<Alert, 'id' | 'event'>,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      (NAMES.has(entry[0]) || PREFIXES.some((prefix) => entry[0].startsWith(prefix))),
  )
  return {
    ...Object.fromEntries(kept),
    COINLAKE_ALERT_ID: alert.id,
    COINLAKE_ALERT_EVENT: alert.event,
  }
}
