import { CoinlakeError, type ErrorFacts, EXIT, type ExitCode } from '../config/coinlake-error.ts'

/** The facts of a source error. Absent `code`, `hint` and `retryable` are those of the class. */
export interface SourceErrorFacts extends Partial<ErrorFacts> {
  /** Has no secrets: the key travels in a header. */
  url?: string
  /** HTTP status; absent: no answer came. */
  status?: number
  calls?: number
  retryable?: boolean
}

/** The facts of the failed request; null = unknown. */
export interface FailedRequest {
  url: string | null
  status: number | null
  calls: number
}

/** The source did not answer as asked. The message ends in `GET URL` when the URL is known. */
export abstract class SourceError extends CoinlakeError {
  /** The facts of errors that do not name them, by class. */
  declare static readonly defaults: { code: string; hint: string; retryable: boolean }
  override readonly exitCode: ExitCode = EXIT.source
  readonly facts: FailedRequest
  /** Whether the same request may succeed later. */
  readonly retryable: boolean
  /** The source asks for no repetition before this time; epoch ms of the local clock. */
  retryAtMs?: number

  constructor(message: string, facts: SourceErrorFacts = {}) {
    const { defaults } = new.target
    super(facts.url === undefined ? message : `${message}: GET ${facts.url}`, {
      code: facts.code ?? defaults.code,
      hint: facts.hint ?? defaults.hint,
      cause: facts.cause,
    })
    const { url = null, status = null, calls = 0 } = facts
    this.facts = { url, status, calls }
    this.retryable = facts.retryable ?? defaults.retryable
  }
}

/** The source refuses the key (401, 403, or a key sent to the wrong host). Exit code 4, never retried. */
export class SourceAuthError extends SourceError {
  static override readonly defaults = {
    code: 'SOURCE_AUTH',
    hint: 'Set source.api_key (or its environment variable) to a valid key of this service.',
    retryable: false,
  }
}

/** The request is outside the key's plan (body codes 10005, 10012). Fails the slice, not the run. */
export class SourcePlanError extends SourceError {
  override readonly exitCode = EXIT.gaps
  static override readonly defaults = {
    code: 'SOURCE_PLAN',
    hint: 'Ask for a range inside the plan of your key (set a later `from`), or use a key of a larger plan.',
    retryable: false,
  }
}

/** The source does not know the subject, or finds the request wrong (400, 404, 422). Fails the slice. */
export class SourceRequestError extends SourceError {
  override readonly exitCode = EXIT.gaps
  static override readonly defaults = {
    code: 'SOURCE_BAD_REQUEST',
    hint: 'Check the ids, currencies and dates that were asked for.',
    retryable: false,
  }
}

/** The source gives no usable answer now (5xx, 408, timeout, reset, no JSON). A later try may succeed. */
export class SourceUnavailableError extends SourceError {
  static override readonly defaults = {
    code: 'SOURCE_UNAVAILABLE',
    hint: 'Try again later; what is already loaded is kept.',
    retryable: true,
  }
}

/** The answer has a good status, but not the operation's shape. The message names the JSON path. */
export class SourceDataError extends SourceError {
  override readonly exitCode = EXIT.gaps
  static override readonly defaults = {
    code: 'SOURCE_DATA',
    hint: 'The service answers in another shape than its interface; check source.base_url and source.profile.',
    retryable: false,
  }
}
