import { CoinlakeError, EXIT } from '../config/coinlake-error.ts'
import type { ExitCode } from '../config/coinlake-error.ts'

/** The warehouse cannot be written or read: path, lock, disk, version. Exit code 5. */
export class SinkError extends CoinlakeError {
  override readonly exitCode: ExitCode = EXIT.sink
}

/** Another process or another run has the warehouse: the same command works when that has ended. Exit code 6. */
export class WarehouseBusyError extends SinkError {
  override readonly exitCode = EXIT.busy
}

/** A part of the store, its catalog or its storage, is out of reach for now. Worth another try. */
export class SinkUnreachableError extends SinkError {
  readonly retryable = true
}
