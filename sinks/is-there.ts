import { statSync } from 'node:fs'
import { SinkError } from './sink-error.ts'

/** Whether a file or folder of a warehouse is there. @throws SinkError WAREHOUSE_UNREADABLE: this user may not look */
export function isThere(path: string): boolean {
  try {
    statSync(path)
    return true
  } catch (error) {
    requireAbsence(path, error)
    return false
  }
}

/** Whether a path of a warehouse leads to a file, as that of a published one. @throws as `isThere` */
export function isFileThere(path: string): boolean {
  return isThere(path) && statSync(path).isFile()
}

/** Accepts only the error of a missing path. @throws SinkError WAREHOUSE_UNREADABLE for any other */
export function requireAbsence(path: string, error: unknown): void {
  const { code = 'unknown' } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return
  throw new SinkError(`${path} cannot be read (${code})`, {
    code: 'WAREHOUSE_UNREADABLE',
    hint: 'Run the same command as the user who owns the warehouse.',
    cause: error,
  })
}
