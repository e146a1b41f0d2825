// Runs before `npm run demo` and `npm test`, on whatever Node the machine has: installs the locked
// dependencies when they are missing or older than the lock file. Plain JavaScript, no dependencies.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const installed = new URL('../node_modules/.package-lock.json', import.meta.url)
const locked = new URL('../package-lock.json', import.meta.url)
const nodeBinary = new URL('../node_modules/node/bin/node', import.meta.url)

const isFresh =
  existsSync(installed) &&
  existsSync(nodeBinary) &&
  statSync(installed).mtimeMs >= statSync(locked).mtimeMs - 1000

if (!isFresh) {
  process.stderr.write('Installing dependencies (npm install), once per clone ...\n')
  // Not `npm ci`: it refuses a lock file without the optional packages of other platforms, and a
  // registry that mirrors only its own platform can neither write nor serve a fuller one. This takes
  // the locked versions all the same, and --no-save leaves the lock file as it is.
  const npm = process.env.npm_execpath
  const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []]
  const result = spawnSync(
    command,
    [...args, 'install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: root, stdio: ['ignore', 2, 2] },
  )
  if (result.status !== 0) {
    process.stderr.write(
      'npm install failed: see above. Node >= 20 with npm and a package registry are needed.\n',
    )
    process.exit(result.status ?? 1)
  }
}
