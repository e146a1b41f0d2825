import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }

const run = promisify(execFile)

export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

/** Everything that is no source: big, private to a machine, or made by somebody's use. */
const NOT_COPIED = new Set(['node_modules', '.git', 'dist', 'demo', 'warehouse', '.cache'])

/** The packed coinlake in a folder of its own, as npm would have put it there. */
export interface PlacedPackage {
  /** A stranger's empty folder, with coinlake below its node_modules. */
  home: string
  packageDir: string
  /** Paths in the tarball, without the leading `package/`. */
  files: string[]
}

/**
 * Runs `npm pack` (and with it prepack) on a copy of the sources, and unpacks the tarball below a
 * folder's node_modules. Beside it lie links to the packages that package.json calls dependencies,
 * and no others: what is missing there, is missing for a user. A registry is not needed.
 *
 * @param base an empty folder; the caller removes it
 */
export async function placePackage(base: string): Promise<PlacedPackage> {
  const sources = join(base, 'sources')
  await cp(REPOSITORY, sources, {
    recursive: true,
    filter: (path) => !NOT_COPIED.has(relative(REPOSITORY, path)),
  })
  await symlink(join(REPOSITORY, 'node_modules'), join(sources, 'node_modules'))
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', base], {
    cwd: sources,
  })
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }]
  const home = join(base, 'home')
  const modules = join(home, 'node_modules')
  const packageDir = join(modules, 'coinlake')
  await mkdir(packageDir, { recursive: true })
  await run('tar', ['-xzf', join(base, packed.filename), '-C', packageDir, '--strip-components=1'])
  for (const name of Object.keys(manifest.dependencies)) {
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(join(REPOSITORY, 'node_modules', name), join(modules, name))
  }
  return { home, packageDir, files: packed.files.map(({ path }) => path) }
}

/** The first Node on PATH that is too old for coinlake, or null. npm's own folders come first there. */
export async function findOldNode(): Promise<string | null> {
  const dirs = (process.env['PATH'] ?? '').split(':').filter((dir) => !dir.includes('node_modules'))
  for (const dir of dirs) {
    const names: string[] = await readdir(dir).catch(() => [])
    if (!names.includes('node')) continue
    const node = join(dir, 'node')
    const { stdout } = await run(node, ['--version']).catch(() => ({ stdout: '' }))
    const [major = 0, minor = 0] = stdout.slice(1).split('.').map(Number)
    if (major > 0 && (major < 22 || (major === 22 && minor < 19))) return node
  }
  return null
}
