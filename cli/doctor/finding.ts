import { CoinlakeError, EXIT, type ExitCode } from '../../config/coinlake-error.ts'

/** `skipped`: not checked because of an earlier fault. */
export type Verdict = 'ok' | 'warning' | 'fault' | 'skipped'

export interface Finding {
  /** The subject of the check, in one word. */
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
