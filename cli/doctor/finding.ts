import { CoinlakeError, EXIT } from '../../config/coinlake-error.ts'
import type { ExitCode } from '../../config/coinlake-error.ts'

/** `skipped`: it could not be looked at, because of a fault that is told before it. */
export type Verdict = 'ok' | 'warning' | 'fault' | 'skipped'

/** What one look of the doctor came to. */
export interface Finding {
  /** What was looked at, in one word. */
  about: string
  verdict: Verdict
  /** What was found, with values. */
  what: string
  /** Stable; null when all is well. */
  code: string | null
  /** What to do; null when there is nothing to do. */
  hint: string | null
  /** What a run would end with because of it; null when it would not end. */
  exitCode: ExitCode | null
}

/** A fault or a doubt, with what to do about it. */
export interface Trouble {
  what: string
  code: string
  hint: string
}

export function fine(about: string, what: string): Finding {
  return { about, verdict: 'ok', what, code: null, hint: null, exitCode: null }
}

export function skipped(about: string, what: string): Finding {
  return { about, verdict: 'skipped', what, code: null, hint: null, exitCode: null }
}

export function doubt(about: string, trouble: Trouble): Finding {
  return { about, verdict: 'warning', ...trouble, exitCode: null }
}

/** The fault that an error tells, in the words of the error. */
export function faultOf(about: string, error: unknown): Finding {
  if (error instanceof CoinlakeError) {
    const { message: what, code, hint, exitCode } = error
    return { about, verdict: 'fault', what, code, hint, exitCode }
  }
  return {
    about,
    verdict: 'fault',
    what: error instanceof Error ? error.message : String(error),
    code: 'UNEXPECTED',
    hint: 'Run `coinlake doctor --debug` and report what it prints.',
    exitCode: EXIT.unexpected,
  }
}
