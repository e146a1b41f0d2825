// Runs npm in the root of the clone, on the machine's own Node. Plain JavaScript, no dependencies.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs the npm that runs this script (`npm run ...`), else the first one on PATH.
 *
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} [options]
 */
export function npm(args, options = {}) {
  const path = process.env.npm_execpath
  const [command, before] = path ? [process.execPath, [path]] : ['npm', []]
  return spawnSync(command, [...before, ...args], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    ...options,
  })
}
