import { CoinlakeError, EXIT, type ExitCode } from '../config/coinlake-error.ts'

/** The warehouse cannot be written or read: path, lock, disk, version. Exit code 5. */
export class SinkError extends CoinlakeError {
  override readonly exitCode: ExitCode = EXIT.sink
}

/** Another process or run has the warehouse. The same command works after its end. Exit code 6. */
export class WarehouseBusyError extends SinkError {
  override readonly exitCode = EXIT.busy
}

/** The store, its catalog or its storage is out of reach for now. Worth another try. */
export class SinkUnreachableError extends SinkError {
  readonly retryable = true
}
