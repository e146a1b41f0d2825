import { CoinlakeError, EXIT } from '../config/coinlake-error.ts'

/** The stage cannot be written or a staged page cannot be believed. Exit code 5, as for a sink. */
export class StageError extends CoinlakeError {
  override readonly exitCode = EXIT.sink
}

/** The place of the stage cannot be reached for now, or not with these credentials. Worth another try. */
export class StageUnreachableError extends StageError {
  readonly retryable = true
}
