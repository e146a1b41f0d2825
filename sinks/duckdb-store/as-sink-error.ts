import { CoinlakeError } from '../../config/coinlake-error.ts'
import { SinkError } from '../sink-error.ts'

/** What DuckDB says, and what it means here. Its errors carry no codes, so the text decides. */
const KNOWN: readonly { says: RegExp; code: string; hint: string }[] = [
  {
    says: /no space left|disk quota|file too large|max_temp_directory_size/i,
    code: 'STORE_DISK_FULL',
    hint: 'Nothing was changed. Free some space, then run the same command again.',
  },
  {
    says: /out of memory|failed to allocate/i,
    code: 'STORE_OUT_OF_MEMORY',
    hint: 'Nothing was changed. Give the process more memory, then run the same command again.',
  },
  {
    says: /has been invalidated/i,
    code: 'STORE_BROKEN',
    hint: 'DuckDB gave the open store up after a write error; what was committed is safe. Start again.',
  },
  {
    says: /read-only|permission denied/i,
    code: 'STORE_NOT_WRITABLE',
    hint: 'Give this user the right to write the file and its folder, or choose another warehouse.',
  },
]

/**
 * Any error from the store as one of ours: `cannot <doing> <file>: <first line of the cause>`.
 * Errors that are ours already stay what they are.
 */
export function asSinkError(error: unknown, doing: string, file: string): CoinlakeError {
  if (error instanceof CoinlakeError) return error
  const text = error instanceof Error ? error.message : String(error)
  const known = KNOWN.find(({ says }) => says.test(text))
  return new SinkError(`cannot ${doing} ${file}: ${text.split('\n')[0]}`, {
    code: known?.code ?? 'STORE_FAILED',
    hint: known?.hint ?? 'The last committed state is safe; run the same command again.',
    cause: error,
  })
}
