// prepack: makes dist/ from the sources. Node strips types in the repository, but not below node_modules, so the package
// has JavaScript with declarations. Plain JavaScript, no dependencies.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
// A fresh clone has no compiler yet.
import './ensure-installed.mjs'
import { npm } from './npm.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url))

// Removed first, so that the package has no file that was renamed or removed since the last build.
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })
const result = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: ['ignore', 2, 2],
})
if (result.error !== undefined) process.stderr.write(`cannot run ${tsc}: ${result.error.message}\n`)
if (result.status !== 0) process.exit(result.status ?? 1)
// In a process of its own, because npm finds the locked Node there, while this may be another one.
process.exit(npm(['run', '--silent', 'bundle']).status ?? 1)
