import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** The option of `cp` that shares the original's blocks where the file system can (XFS, Btrfs, APFS). */
const COPY: Partial<Record<NodeJS.Platform, string>> = { linux: '--reflink=auto', darwin: '-c' }

/**
 * Copies a file in a child process. A closed descriptor of the store in this process would drop DuckDB's lock. The
 * child gets only PATH of the environment, because API keys are in there.
 *
 * @throws Error with the words of `cp`
 */
export async function copyInChild(from: string, to: string): Promise<void> {
  const option = COPY[process.platform]
  await promisify(execFile)('cp', [...(option === undefined ? [] : [option]), '--', from, to], {
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  })
}
