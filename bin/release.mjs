// `npm run release -- 0.2.0 [--dry-run]`: what a release is made of, from a clean tree. Sets the version, gives the entries
// under Unreleased its name, and writes into release/ the tarball, an SBOM (CycloneDX) and the licences of all that is
// installed with it. Commits and publishes nothing. `--dry-run` changes nothing; `--licences` only prints them.
// Plain JavaScript, no dependencies.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { npm } from './npm.mjs'

/** A package with another licence is not shipped before somebody has read it. */
const ALLOWED =
  /^(?:MIT|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|Apache-2\.0 AND MIT|BlueOak-1\.0\.0|Unlicense|CC-BY-4\.0)$/
/** Packages whose manifest says nothing: unionfs by its LICENSE, the others as for the platforms that say it. */
const TOLD = [
  [/^unionfs$/, 'Unlicense'],
  [/^@swc\/core-/, 'Apache-2.0 AND MIT'],
]

const root = new URL('../', import.meta.url)
const read = (name) => readFileSync(new URL(name, root), 'utf8')

/** @param {string} message what is in the way, and what to do next */
function refuse(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** What npm installs beside coinlake, by name. */
function shipped() {
  const { packages } = JSON.parse(read('package-lock.json'))
  return Object.entries(packages)
    .filter(([folder, { dev }]) => folder !== '' && !dev)
    .map(([folder, { version, license }]) => {
      const name = folder.split('node_modules/').at(-1)
      const told = TOLD.find(([pattern]) => pattern.test(name))?.[1]
      return { name, version, licence: license ?? told ?? 'none' }
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
}

const packages = shipped()
const foreign = packages.filter(({ licence }) => !ALLOWED.test(licence))
if (foreign.length > 0) {
  const names = foreign.map(({ name, version, licence }) => `${name}@${version}: ${licence}`)
  refuse(
    `Not among the allowed licences:\n${names.join('\n')}\nRead it, then add it to ALLOWED in bin/release.mjs, or leave the package out.`,
  )
}
const lines = packages.map(({ name, version, licence }) => `${name},${version},${licence}`)
const licences = `package,version,licence\n${[...new Set(lines)].join('\n')}\n`

const words = process.argv.slice(2)
if (words.includes('--licences')) {
  process.stdout.write(licences)
  process.exit()
}

const isDry = words.includes('--dry-run')
const version = words.find((word) => !word.startsWith('-')) ?? ''
const before = JSON.parse(read('package.json')).version
const numbers = (text) => text.split('.').map(Number)
const isNewer = () => {
  const [now, last] = [numbers(version), numbers(before)]
  const place = now.findIndex((number, at) => number !== last[at])
  return place >= 0 && now[place] > last[place]
}
if (!/^\d+\.\d+\.\d+$/.test(version) || !isNewer()) {
  refuse(`${version || 'no version'} is none after ${before}: npm run release -- 0.2.0`)
}
const status = spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
if (status.status !== 0 || status.stdout !== '') {
  refuse(`The tree is not clean: commit or stash first.\n${status.stdout ?? ''}`)
}
const [head, entries] = read('CHANGELOG.md').split(/^## Unreleased\n/m)
if (!/^- /m.test(entries?.split(/^## /m)[0] ?? '')) {
  refuse('CHANGELOG.md has no entries under Unreleased: nothing to release.')
}
const sbom = npm(['sbom', '--omit=dev', '--package-lock-only', '--sbom-format=cyclonedx'], {
  stdio: ['ignore', 'pipe', 2],
  encoding: 'utf8',
  maxBuffer: 1 << 28,
})
if (sbom.status !== 0) refuse('npm sbom failed: see above.')
const parts = JSON.parse(sbom.stdout)
process.stderr.write(
  `${before} -> ${version}: ${parts.components.length} packages, each with an allowed licence\n`,
)
if (isDry) process.exit()

const today = new Date().toISOString().slice(0, 10)
const set = ['version', version, '--no-git-tag-version', '--ignore-scripts']
if (npm(set).status !== 0) refuse(`npm ${set.join(' ')} failed: see above.`)
writeFileSync(
  new URL('CHANGELOG.md', root),
  `${head}## Unreleased\n\n## ${version} (${today})\n${entries}`,
)
mkdirSync(new URL('release/', root), { recursive: true })
if (npm(['pack', '--pack-destination', 'release']).status !== 0)
  refuse('npm pack failed: see above.')
parts.metadata.component.version = version
const write = (name, text) =>
  writeFileSync(new URL(`release/coinlake-${version}.${name}`, root), text)
write('sbom.json', `${JSON.stringify(parts, null, 2)}\n`)
write('licences.csv', licences)
process.stderr.write(
  `release/ has the tarball, SBOM and licences. Next: git commit -am 'Release ${version}' && git tag v${version}, then npm publish of the tarball.\n`,
)
