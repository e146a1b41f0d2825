/** Exit codes of the command line, one meaning each (documented in docs/cli.md). */
export const EXIT = {
  complete: 0,
  unexpected: 1,
  config: 2,
  gaps: 3,
  source: 4,
  sink: 5,
  busy: 6,
  nothing: 7,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

export interface ErrorFacts {
  /** In SCREAMING_SNAKE and never changed, because people grep for it. */
  code: string
  /** The next step, as one sentence or one command. */
  hint: string
  cause?: unknown
}

/** The base of all errors that coinlake throws on purpose. The message names the failure and its values. */
export class CoinlakeError extends Error {
  readonly code: string
  readonly hint: string
  readonly exitCode: ExitCode = EXIT.unexpected

  constructor(message: string, facts: ErrorFacts) {
    super(message, facts)
    this.name = new.target.name
    this.code = facts.code
    this.hint = facts.hint
  }
}
