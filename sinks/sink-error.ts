import { CoinlakeError, EXIT } from '../config/coinlake-error.ts'

/** The warehouse cannot be written or read: path, lock, disk, version. Exit code 5. */
export class SinkError extends CoinlakeError {
  override readonly exitCode = EXIT.sink
}

/** What a store is made of cannot be reached for now: its catalog, its storage. Worth another try. */
export class SinkUnreachableError extends SinkError {
  readonly retryable = true
}
