import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BenchService } from './bench-service.ts'
import { measureTree } from './measure.ts'
import type { PeerRun } from './peer-run.ts'
import { peerRun } from './peer-run.ts'
import { pythonWith } from './python-venv.ts'

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
  const prepared = pythonWith(PACKAGES, env)
  if (typeof prepared === 'string') return prepared
  const script = fileURLToPath(new URL('./peers/hand.py', import.meta.url))
  return {
    async run(service, coins, folder) {
      const file = join(folder, 'hand.duckdb')
      rmSync(file, { force: true })
      const args = [script, service.url, String(coins), file]
      const measured = await measureTree(prepared.python, args, {
        cwd: folder,
        env,
        groupOf: () => 'script',
      })
      if (measured.exitCode !== 0) throw new Error(`hand.py failed: ${measured.stderr}`)
      return peerRun(measured, await service.takeTimes(), Number(measured.stdout.trim()))
    },
  }
}
