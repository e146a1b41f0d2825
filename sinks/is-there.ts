import { statSync } from 'node:fs'
import { SinkError } from './sink-error.ts'

/**
 * Whether a file or folder of a warehouse is there. A folder that this user may not look into tells nothing: its files
 * are not gone.
 *
 * @throws SinkError WAREHOUSE_UNREADABLE
 */
export function isThere(path: string): boolean {
  try {
    statSync(path)
    return true
  } catch (error) {
    requireAbsence(path, error)
    return false
  }
}

/** Lets the error of a path pass that is not there. @throws SinkError WAREHOUSE_UNREADABLE for any other */
export function requireAbsence(path: string, error: unknown): void {
  const { code = 'unknown' } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return
  throw new SinkError(`${path} cannot be read (${code})`, {
    code: 'WAREHOUSE_UNREADABLE',
    hint: 'Run the same command as the user who owns the warehouse.',
    cause: error,
  })
}
