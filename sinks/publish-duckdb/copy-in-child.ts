import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Shares the blocks of the original where the file system can (XFS, Btrfs, APFS), else copies bytes. */
const COPY: Partial<Record<NodeJS.Platform, string>> = { linux: '--reflink=auto', darwin: '-c' }

/**
 * Copies a file by a child process: a descriptor of the store that is closed in this process would drop
 * the lock that DuckDB has on it. The child gets nothing of the environment but the way to `cp`: API
 * keys stand there.
 *
 * @throws Error with what `cp` says
 */
export async function copyInChild(from: string, to: string): Promise<void> {
  const option = COPY[process.platform]
  await promisify(execFile)('cp', [...(option === undefined ? [] : [option]), '--', from, to], {
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  })
}
