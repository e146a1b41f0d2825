import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cacheDir } from '../engine/engine-dirs.ts'
import type { BenchService } from './bench-service.ts'
import { measureTree } from './measure.ts'
import type { PeerRun } from './peer-run.ts'
import { peerRun } from './peer-run.ts'

/** What the script needs, pinned: a newer pandas is another measurement. */
const PACKAGES = ['requests==2.34.2', 'pandas==3.1.1', 'duckdb==2.0.0']

/** The hand-written script, ready to be run. */
export interface HandPeer {
  run(service: BenchService, coins: number, folder: string): Promise<PeerRun>
}

/**
 * Prepares the Python environment of the hand-written script, once, in the user's cache. Returns the
 * reason as text when that cannot be: then coinlake is measured alone.
 */
export function prepareHandPeer(env: NodeJS.ProcessEnv): HandPeer | string {
  const venv = join(cacheDir(env), `bench-${PACKAGES.join('-').replaceAll(/[^\w.-]+/g, '_')}`)
  const python = join(venv, 'bin', 'python')
  const reason = existsSync(python) ? null : makeVenv(venv)
  if (reason !== null) return reason
  const script = fileURLToPath(new URL('./peers/hand.py', import.meta.url))
  return {
    async run(service, coins, folder) {
      const file = join(folder, 'hand.duckdb')
      rmSync(file, { force: true })
      const args = [script, service.url, String(coins), file]
      const measured = await measureTree(python, args, {
        cwd: folder,
        env,
        groupOf: () => 'script',
      })
      if (measured.exitCode !== 0) throw new Error(`hand.py failed: ${measured.stderr}`)
      return peerRun(measured, await service.takeTimes(), Number(measured.stdout.trim()))
    },
  }
}

function makeVenv(venv: string): string | null {
  const draft = `${venv}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  const made = spawnSync('python3', ['-m', 'venv', draft], { encoding: 'utf8' })
  if (made.status !== 0) return `python3 -m venv: ${made.error?.message ?? made.stderr.trim()}`
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES]
  const installed = spawnSync(join(draft, 'bin', 'python'), pip, { encoding: 'utf8' })
  if (installed.status !== 0) {
    rmSync(draft, { recursive: true, force: true })
    return `pip install ${PACKAGES.join(' ')}: ${installed.stderr.trim().split('\n').at(-1) ?? ''}`
  }
  renameSync(draft, venv)
  return null
}
