import { CoinlakeError, EXIT } from '../../config/coinlake-error.ts'

/** A snapshot came after its bucket had ended: the bucket stays missed. Fails the slice, not the run. */
export class MissedBucketError extends CoinlakeError {
  override readonly exitCode = EXIT.gaps
}
