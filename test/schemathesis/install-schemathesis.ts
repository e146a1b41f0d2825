import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The version whose findings are known; a newer one may find more. */
const VERSION = '4.32.5'

/** Why schemathesis is not there, and what would help. */
export class NoSchemathesis extends Error {}

/**
 * The `st` command of schemathesis, in a Python environment of its own below `cacheDir`: made once, by
 * pip, and found again.
 *
 * @throws NoSchemathesis without Python 3 or without a package index
 */
export async function installSchemathesis(
  cacheDir: string,
  say: (line: string) => void,
): Promise<string> {
  const home = join(cacheDir, `schemathesis-${VERSION}`)
  const command = join(home, 'bin', 'st')
  if (existsSync(command)) return command
  await mkdir(dirname(home), { recursive: true })
  say(`installing schemathesis ${VERSION} into ${home} ...`)
  // Scripts of an environment name its place, so it is made where it stays; half of one is taken away.
  rmSync(home, { recursive: true, force: true })
  run('python3', ['-m', 'venv', home], 'Install Python 3.10 or newer with its venv module.')
  try {
    run(
      join(home, 'bin', 'pip'),
      ['install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`],
      'It needs a package index: check pip and the network.',
    )
  } catch (error) {
    rmSync(home, { recursive: true, force: true })
    throw error
  }
  return command
}

function run(program: string, args: readonly string[], hint: string): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status === 0) return
  const why = error?.message ?? stderr.trim()
  throw new NoSchemathesis(`${program} ${args.join(' ')} failed: ${why}\n${hint}`)
}
