import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** The option by which `cp` shares the blocks of the original where the file system can (XFS, Btrfs, APFS). */
const COPY: Partial<Record<NodeJS.Platform, string>> = { linux: '--reflink=auto', darwin: '-c' }

/**
 * Copies a file in a child process, because closing a descriptor of the store in this process would drop DuckDB's lock.
 * The child gets only PATH of the environment, because API keys are in there.
 *
 * @throws Error with the words of `cp`
 */
export async function copyInChild(from: string, to: string): Promise<void> {
  const option = COPY[process.platform]
  await promisify(execFile)('cp', [...(option === undefined ? [] : [option]), '--', from, to], {
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  })
}
