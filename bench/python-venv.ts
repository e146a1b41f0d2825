import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDir } from '../engine/engine-env.ts'

/**
 * The Python of a virtual environment with these packages, made once in the user's cache. Returns the reason as text if
 * that fails.
 *
 * @param packages pinned, `name==version`: a newer one is another measurement
 */
export function pythonWith(
  packages: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): { python: string } | string {
  const venv = join(cacheDir(env), `bench-${packages.join('-').replaceAll(/[^\w.-]+/g, '_')}`)
  const python = join(venv, 'bin', 'python')
  const reason = existsSync(python) ? null : makeVenv(venv, packages)
  return reason ?? { python }
}

function makeVenv(venv: string, packages: readonly string[]): string | null {
  const draft = `${venv}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  const reason = fillVenv(draft, packages)
  if (reason === null) renameSync(draft, venv)
  else rmSync(draft, { recursive: true, force: true })
  return reason
}

function fillVenv(venv: string, packages: readonly string[]): string | null {
  const made = spawnSync('python3', ['-m', 'venv', venv], { encoding: 'utf8' })
  if (made.status !== 0) return `python3 -m venv: ${made.error?.message ?? made.stderr.trim()}`
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]
  const installed = spawnSync(join(venv, 'bin', 'python'), pip, { encoding: 'utf8' })
  if (installed.status === 0) return null
  return `pip install ${packages.join(' ')}: ${installed.stderr.trim().split('\n').at(-1) ?? ''}`
}
