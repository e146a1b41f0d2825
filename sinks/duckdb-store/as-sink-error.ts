import { CoinlakeError } from '../../config/coinlake-error.ts'
import { SinkError, SinkUnreachableError } from '../sink-error.ts'

export const STORE_DAMAGE = {
  code: 'STORE_DAMAGED',
  hint: '`coinlake restore` moves the file aside and makes the store again from the publications and the kept answers, without a call.',
}
export const PUBLICATION_DAMAGE = {
  code: 'PUBLICATION_DAMAGED',
  hint: '`coinlake verify --repair` publishes it anew from the store, without a call, in some seconds.',
}

/** DuckDB's messages about changed bytes in blocks, headers and logs. */
export const DAMAGE_MESSAGE =
  /Corrupt (?:database|WAL) file|checksum \d+ does not match|Failed to deserialize|not a valid DuckDB database file|not read enough bytes|Could not read enough bytes/i

/**
 * DuckDB's messages with their codes and hints. DuckDB's errors have no code. Patterns with an HTTP status begin
 * only at the first HTTP of a line, because several starts would take quadratic time.
 */
const KNOWN: readonly { says: RegExp; code: string; hint: string; isTransient?: true }[] = [
  // The patterns of a lake's faults come first, because DuckLake wraps each in a message of its own.
  {
    says: /(?:unable to connect to postgres|server closed the connection|terminating connection|connection to server|no connection to the server|connection not open|could not receive data from server|database system is (?:starting up|shutting down)).*/i,
    code: 'STORE_CATALOG_UNREACHABLE',
    hint: 'All committed rows are safe. Check that PostgreSQL runs and lets this user in (password: PGPASSWORD, or the file of PGPASSFILE), then run the same command again.',
    isTransient: true,
  },
  {
    says: /(?<=^(?:(?!HTTP)[^\n])*)HTTP[^\n]*\b40[013]\b.*|(?:ExpiredToken|InvalidAccessKeyId|SignatureDoesNotMatch|AccessDenied|InvalidToken).*/m,
    code: 'STORE_S3_DENIED',
    hint: 'All committed rows are safe. Renew the S3 credentials (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN) or their rights, then run the same command again.',
    isTransient: true,
  },
  {
    says: /(?:could not establish connection|could not resolve hostname|connection error for HTTP|(?<=^(?:(?!HTTP)[^\n])*)HTTP[^\n]*\b50\d\b|could not connect to server|timeout was reached).*/im,
    code: 'STORE_S3_UNREACHABLE',
    hint: 'All committed rows are safe. Check that this machine reaches the S3 service (AWS_ENDPOINT_URL_S3, AWS_REGION, or those of the profile), then run the same command again.',
    isTransient: true,
  },
  {
    says: /(?:transaction conflict|failed to commit ducklake|database is locked).*/i,
    code: 'STORE_CONFLICT',
    hint: 'Another writer was first; nothing of this was changed. Run the same command again.',
    isTransient: true,
  },
  {
    says: /no space left|disk quota|file too large|max_temp_directory_size/i,
    code: 'STORE_DISK_FULL',
    hint: 'All committed rows are safe. Free some space, then run the same command again.',
  },
  {
    says: /out of memory|failed to allocate/i,
    code: 'STORE_OUT_OF_MEMORY',
    hint: 'All committed rows are safe. Give the process more memory, then run the same command again.',
  },
  {
    says: /has been invalidated/i,
    code: 'STORE_BROKEN',
    hint: 'DuckDB closed the store after a write error. All committed rows are safe. Run the same command again.',
  },
  {
    says: /read-only|permission denied/i,
    code: 'STORE_NOT_WRITABLE',
    hint: 'Give this user the right to write the file and its folder, or choose another warehouse.',
  },
]

/**
 * Turns any error of the store into `cannot <doing> <file>: <cause>`. A CoinlakeError stays.
 *
 * @param damage for a damaged file
 */
export function asSinkError(
  error: unknown,
  doing: string,
  file: string,
  damage = STORE_DAMAGE,
): CoinlakeError {
  if (error instanceof CoinlakeError) return error
  const text = error instanceof Error ? error.message : String(error)
  const isDamaged = DAMAGE_MESSAGE.test(text)
  const fault = isDamaged ? undefined : KNOWN.find(({ says }) => says.test(text))
  const reason = fault?.isTransient === true ? (fault.says.exec(text)?.[0] ?? text) : text
  const Fault = fault?.isTransient === true ? SinkUnreachableError : SinkError
  return new Fault(`cannot ${doing} ${file}: ${reason.split('\n')[0]}`, {
    code: isDamaged ? damage.code : (fault?.code ?? 'STORE_FAILED'),
    hint: isDamaged
      ? damage.hint
      : (fault?.hint ?? 'The last committed state is safe; run the same command again.'),
    cause: error,
  })
}
