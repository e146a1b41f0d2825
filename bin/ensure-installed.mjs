// Runs before `npm run demo` and `npm test`, on the machine's own Node: installs the locked dependencies when one is
// missing or has another version. Plain JavaScript, no dependencies.
import { existsSync, readFileSync } from 'node:fs'
import { npm } from './npm.mjs'

const nodeBinary = new URL('../node_modules/node/bin/node', import.meta.url)

/** A lock's packages by folder; an unreadable lock has none. */
function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')).packages ?? {}
  } catch {
    return {}
  }
}

/** Compares the lock with npm's list of installed packages. An optional package may be missing (another platform). */
function isInstalled() {
  const there = packagesOf('../node_modules/.package-lock.json')
  const locked = Object.entries(packagesOf('../package-lock.json')).filter(([folder]) => folder)
  return (
    existsSync(nodeBinary) &&
    locked.length > 0 &&
    locked.every(([folder, { version, optional }]) =>
      there[folder] ? there[folder].version === version : optional,
    )
  )
}

if (!isInstalled()) {
  process.stderr.write('Installing the locked dependencies (npm ci) ...\n')
  const { status } = npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  if (status !== 0) {
    process.stderr.write(
      'npm ci failed: see above. Node >= 20 with npm and a package registry are needed; when the lock is\n' +
        'out of step with package.json, `npm run lock` mends it. Then run this again: nothing may be installed now.\n',
    )
    process.exit(status ?? 1)
  }
}
