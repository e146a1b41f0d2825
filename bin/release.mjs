// `npm run release -- 0.2.0 [--dry-run]`: sets the version, names the entries under Unreleased after it, and writes tarball,
// SBOM (CycloneDX, with the licence of each package) and their checksums into release/. Commits and publishes nothing.
// `--dry-run` changes nothing; `--sbom` only prints the SBOM. Plain JavaScript, no dependencies.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { npm } from './npm.mjs'

/** Allowed licences. A person must read any other licence before it is added. */
const ALLOWED =
  /^(?:MIT|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|Apache-2\.0 AND MIT|BlueOak-1\.0\.0|Unlicense|CC-BY-4\.0)$/
/** Licences of packages without one in their manifest: from LICENSE, or from the manifests for other platforms. */
const TOLD = [
  [/^unionfs$/, 'Unlicense'],
  [/^@swc\/core-/, 'Apache-2.0 AND MIT'],
]

const root = new URL('../', import.meta.url)
const read = (name) => readFileSync(new URL(name, root))

/** @param {string} message the obstacle, and the next step */
function refuse(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/**
 * The SBOM of the packages that npm installs with coinlake; refuses licences that are not allowed. npm gets a manifest
 * without devDependencies, because `--omit=dev` also leaves out packages that are shipped and used in development.
 */
function sbomOf(version) {
  const { devDependencies: _, ...manifest } = JSON.parse(read('package.json'))
  const { packages, ...lock } = JSON.parse(read('package-lock.json'))
  const shipped = Object.entries(packages).filter(([folder, { dev }]) => folder !== '' && !dev)
  const folder = mkdtempSync(`${tmpdir()}/coinlake-sbom-`)
  const write = (name, content) => writeFileSync(`${folder}/${name}`, JSON.stringify(content))
  write('package.json', { ...manifest, version })
  write('package-lock.json', { ...lock, packages: Object.fromEntries(shipped) })
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--loglevel=error']
  const options = { cwd: folder, stdio: ['ignore', 'pipe', 2], maxBuffer: 1e8 }
  const { status, stdout } = npm(args, options)
  rmSync(folder, { recursive: true })
  if (status !== 0) refuse('npm sbom failed: see above.')

  const sbom = JSON.parse(stdout)
  // npm named the component after the folder.
  sbom.metadata.component.name = manifest.name
  const foreign = sbom.components.flatMap((part) => {
    const told = TOLD.find(([pattern]) => pattern.test(part.name))?.[1]
    if (told !== undefined) part.licenses ??= [{ expression: told }]
    const [{ license, expression } = {}] = part.licenses ?? []
    const licence = license?.id ?? expression ?? 'none'
    return ALLOWED.test(licence) ? [] : [`${part.name}@${part.version}: ${licence}`]
  })
  if (foreign.length > 0) {
    refuse(
      `Not among the allowed licences:\n${foreign.join('\n')}\nRead it, then add it to ALLOWED in bin/release.mjs, or leave the package out.`,
    )
  }
  return sbom
}

const before = JSON.parse(read('package.json')).version
const words = process.argv.slice(2)
if (words.includes('--sbom')) {
  const text = `${JSON.stringify(sbomOf(before), null, 2)}\n`
  // Waits until a pipe has taken all pieces, which an exit would cut off.
  await new Promise((taken) => process.stdout.write(text, taken))
  process.exit()
}

const version = words.find((word) => !word.startsWith('-')) ?? ''
const numbers = (text) => text.split('.').map(Number)
const isNewer = () => {
  const [now, last] = [numbers(version), numbers(before)]
  const place = now.findIndex((number, at) => number !== last[at])
  return place >= 0 && now[place] > last[place]
}
if (!/^\d+\.\d+\.\d+$/.test(version) || !isNewer()) {
  refuse(`${version || 'no version'} is none after ${before}: npm run release -- 0.2.0`)
}
const git = spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
if (git.status !== 0 || git.stdout !== '') {
  refuse(`The tree is not clean: commit or stash first.\n${git.stdout ?? ''}`)
}
const [head, entries] = read('CHANGELOG.md')
  .toString()
  .split(/^## Unreleased\n/m)
if (!/^- /m.test(entries?.split(/^## /m)[0] ?? '')) {
  refuse('CHANGELOG.md has no entries under Unreleased: nothing to release.')
}
const sbom = sbomOf(version)
process.stderr.write(
  `${before} -> ${version}: ${sbom.components.length} packages, each with an allowed licence\n`,
)
if (words.includes('--dry-run')) process.exit()

const set = ['version', version, '--no-git-tag-version', '--ignore-scripts']
if (npm(set).status !== 0) refuse(`npm ${set.join(' ')} failed: see above.`)
const today = new Date().toISOString().slice(0, 10)
writeFileSync(
  new URL('CHANGELOG.md', root),
  `${head}## Unreleased\n\n## ${version} (${today})\n${entries}`,
)
mkdirSync(new URL('release/', root), { recursive: true })
if (npm(['pack', '--pack-destination', 'release']).status !== 0)
  refuse('npm pack failed: see above.')
const write = (name, text) => writeFileSync(new URL(`release/${name}`, root), text)
const files = [`coinlake-${version}.tgz`, `coinlake-${version}.sbom.json`]
write(files[1], `${JSON.stringify(sbom, null, 2)}\n`)
const sha256 = (name) =>
  createHash('sha256')
    .update(read(`release/${name}`))
    .digest('hex')
write('SHA256SUMS', files.map((name) => `${sha256(name)}  ${name}\n`).join(''))
process.stderr.write(
  `release/ has tarball, SBOM and SHA256SUMS. Next: git commit -am 'Release ${version}' && git tag v${version}, then npm publish of the tarball.\n`,
)
