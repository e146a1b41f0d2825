// `npm run lock`, after every change of dependencies: brings package-lock.json in step with package.json, and completes
// it. npm leaves out each optional package that the registry lacks (a mirror may have some platforms only), and
// `npm ci` then refuses the lock on every machine. This script adds such packages with their certain facts: version, os,
// cpu and libc. npm fetches an entry without `integrity` by its name and version. Plain JavaScript, no dependencies,
// because nothing can be installed before the lock is complete.
import { readFileSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { npm } from './npm.mjs'

const lock = new URL('../package-lock.json', import.meta.url)
const before = readFileSync(lock, 'utf8')

/** @param {string} message the fault, its package, and the next step */
function refuse(message) {
  writeFileSync(lock, before)
  process.stderr.write(`${message}\npackage-lock.json is as it was.\n`)
  process.exit(1)
}

const readLock = () => JSON.parse(readFileSync(lock, 'utf8'))

/** Writes the folders in npm's order, so that its next `install` moves nothing. */
function writeLock({ packages, ...rest }) {
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'))
  const text = JSON.stringify({ ...rest, packages: Object.fromEntries(sorted) }, null, 2)
  writeFileSync(lock, `${text}\n`)
}

/** The entry that a package in a folder finds by a name, in its own folder or in one above, as Node does. */
function entryMet(packages, folder, name) {
  const entry = packages[posix.join(folder, 'node_modules', name)]
  if (entry || folder === '') return entry
  return entryMet(
    packages,
    folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1)),
    name,
  )
}

/** The platform of a package, from the registry's newest version, because no version changes the platform. */
function platformAtRegistry(name) {
  const args = ['view', name, 'name', 'os', 'cpu', 'libc', '--json']
  const { status, stdout } = npm(args, { stdio: ['ignore', 'pipe', 2], encoding: 'utf8' })
  const { os, cpu, libc } = status === 0 ? JSON.parse(stdout) : {}
  if (os || cpu) return { os, cpu, libc }
  return refuse(
    `npm ${args.join(' ')}: the registry tells neither os nor cpu.\n` +
      `Run this again with a registry that has ${name}.`,
  )
}

// Entries of an earlier run are removed first, because npm writes full entries of packages that the registry has by now.
const stripped = readLock()
const earlier = new Map()
for (const [folder, entry] of Object.entries(stripped.packages)) {
  if (!entry.optional || entry.integrity || entry.inBundle) continue
  earlier.set(folder.split('node_modules/').at(-1), entry)
  delete stripped.packages[folder]
}
writeLock(stripped)
const install = ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']
if (npm(install).status !== 0) refuse(`npm ${install.join(' ')} failed: see above.`)

const completed = readLock()
let added = 0
for (const [folder, parent] of Object.entries(completed.packages)) {
  for (const [name, range] of Object.entries(parent.optionalDependencies ?? {})) {
    const isVersion = /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(range)
    const met = entryMet(completed.packages, folder, name)
    if (met && (met.version === range || !isVersion)) continue
    if (!isVersion) {
      refuse(
        `${folder} asks for ${name}@${range}: the registry has none, and no version is told to lock.`,
      )
    }
    const { os, cpu, libc } = earlier.get(name) ?? platformAtRegistry(name)
    const { dev, peer } = parent
    const place = posix.join(met ? folder : '', 'node_modules', name)
    completed.packages[place] = { version: range, cpu, dev, libc, optional: true, os, peer }
    added += 1
  }
}
writeLock(completed)
process.stderr.write(
  `package-lock.json is complete; the registry does not have ${added} of its packages.\n`,
)
