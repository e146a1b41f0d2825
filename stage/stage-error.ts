import { CoinlakeError, EXIT } from '../config/coinlake-error.ts'

/** The stage cannot be written, or a staged page is damaged. Exit code 5, as for a sink. */
export class StageError extends CoinlakeError {
  override readonly exitCode = EXIT.sink
}

/** The stage cannot be reached now, or not with these credentials. A later try may succeed. */
export class StageUnreachableError extends StageError {
  readonly retryable = true
}
