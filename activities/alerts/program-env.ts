import type { Alert } from './alert.ts'

/** Variables that programs need to find their files and to know the user's language. */
const NAMES = new Set(['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TZ', 'TMPDIR'])
/** Prefixes of variables for the locale, for folders, and for the program itself. */
const PREFIXES = ['LC_', 'XDG_', 'COINLAKE_ALERT_']

/** The environment of an alert's program: the alert's id and event, but no keys and no proxy passwords. */
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
