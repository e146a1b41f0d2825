import { CoinlakeError } from '../../config/coinlake-error.ts'
import { StageError, StageUnreachableError } from '../../stage/stage-error.ts'
import { DAMAGE_MESSAGE, STORE_DAMAGE } from '../duckdb-store/as-sink-error.ts'
import { SinkError, SinkUnreachableError } from '../sink-error.ts'

const CAUSES = [
  {
    pattern: /No space left|ENOSPC|disk (?:is )?full|EDQUOT|File too large|EFBIG/i,
    code: 'PUBLISH_DISK_FULL',
    hint: 'Free some disk space and run the same command again: nothing that was loaded is lost.',
  },
  {
    pattern: /EACCES|EPERM|EROFS|Permission denied|Read-only file system/i,
    code: 'PUBLISH_NOT_WRITABLE',
    hint: 'Give the user that runs coinlake write permission there, or choose another warehouse.',
  },
  {
    pattern: /ENOTDIR|EEXIST|EISDIR|EBUSY|Not a directory/i,
    code: 'PUBLISH_TARGET_FOREIGN',
    hint: 'Move the file or folder that is in the way aside, or choose another warehouse.',
  },
  // The damaged file is the store, which is read and copied. The publication stays as it was.
  { pattern: DAMAGE_MESSAGE, ...STORE_DAMAGE },
] as const

/**
 * Turns the cause of a failed publication into a SinkError with a stable code. A CoinlakeError stays. A failed
 * publication loses nothing that was loaded.
 */
export function publishError(cause: unknown, target: string, doing = 'publishing'): CoinlakeError {
  if (cause instanceof StageError) return bucketError(cause, target)
  if (cause instanceof CoinlakeError) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  const known = CAUSES.find(({ pattern }) => pattern.test(reason))
  return new SinkError(`${doing} ${target} failed: ${reason}`, {
    code: known?.code ?? 'PUBLISH_FAILED',
    hint: known?.hint ?? 'Run the same command again: a publication can always be made anew.',
    cause,
  })
}

/** Stage and publications share one S3 client, but `parquet.at` sets the place of a publication. */
function bucketError(cause: StageError, target: string): CoinlakeError {
  const Fault = cause instanceof StageUnreachableError ? SinkUnreachableError : SinkError
  return new Fault(`publishing ${target} failed: ${cause.message}`, {
    code: cause.code.replace('STAGE_', 'PUBLISH_'),
    hint: cause.hint.replace('`stage.at`', '`parquet.at`'),
    cause,
  })
}
