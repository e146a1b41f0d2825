import { CoinlakeError, EXIT, type ExitCode } from '../../config/coinlake-error.ts'

/** `skipped`: not checked, because of an earlier fault or because a worker uses it. */
export type Verdict = 'ok' | 'warning' | 'fault' | 'skipped'

export interface Finding {
  about: string
  verdict: Verdict
  what: string
  /** Stable; null when all is well. */
  code: string | null
  /** The next step for the user; null = none. */
  hint: string | null
  /** The exit code of a run with this fault; null = no run ends because of it. */
  exitCode: ExitCode | null
}

export type CheckResult = Omit<Finding, 'about'>

export interface Trouble {
  what: string
  code: string
  hint: string
}

/** The finding of a check. Its error is a fault, because a run would fail by it, too. */
export async function findingOf(
  about: string,
  check: () => CheckResult | Promise<CheckResult>,
): Promise<Finding> {
  try {
    return { about, ...(await check()) }
  } catch (error) {
    return { about, ...faultOf(error) }
  }
}

export function fine(what: string): CheckResult {
  return { verdict: 'ok', what, code: null, hint: null, exitCode: null }
}

export function skipped(what: string): CheckResult {
  return { verdict: 'skipped', what, code: null, hint: null, exitCode: null }
}

export function doubt(trouble: Trouble): CheckResult {
  return { verdict: 'warning', ...trouble, exitCode: null }
}

export function fault(trouble: Trouble, exitCode: ExitCode): CheckResult {
  return { verdict: 'fault', ...trouble, exitCode }
}

export function faultOf(error: unknown): CheckResult {
  if (error instanceof CoinlakeError) {
    const { message: what, code, hint, exitCode } = error
    return fault({ what, code, hint }, exitCode)
  }
  const what = error instanceof Error ? error.message : String(error)
  const hint = 'Run `coinlake doctor --debug` and report what it prints.'
  return fault({ what, code: 'UNEXPECTED', hint }, EXIT.unexpected)
}
