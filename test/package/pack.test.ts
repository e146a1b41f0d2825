import { existsSync } from 'node:fs'
import { lstat, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { basename, join, posix } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { workflowBundle } from '../../engine/workflow-bundle.ts'
import { findOldNode, type PlacedPackage, placePackage, REPOSITORY } from './place-package.ts'
import { type Ended, runIn } from './try-ci.ts'
import { tempDir } from '../parts/temp-dir.ts'

const base = tempDir(afterAll)
let placed: PlacedPackage

beforeAll(async () => {
  placed = await placePackage(base)
})

/** A server of its own: that its keeper and the workflows start from dist/ is part of the proof. */
function env(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    COINLAKE_API_KEY: 'test',
    COINLAKE_ENGINE_DIR: join(placed.home, 'engine'),
    COINLAKE_ENGINE_ISOLATED: '1',
    COINLAKE_ENGINE_GRACE_MS: '500',
  }
}

function coinlake(args: readonly string[], node = process.execPath): Promise<Ended> {
  return runIn(placed.home, [node, join(placed.packageDir, 'bin/coinlake.js'), ...args], env())
}

describe('the tarball of npm pack', () => {
  test('holds the launcher, dist, the schema, the workflows, and no sources or tests', async () => {
    const entry = join(placed.packageDir, 'dist/workflows/index.js')
    const bundle = await workflowBundle({ env: process.env, entry })
    const folders = new Set(placed.files.map((path) => path.split('/')[0]))
    expect([...folders]).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'bin', 'config', 'dist', 'package.json']),
    )
    expect(placed.files.filter((path) => /^dist\/(test|bench|docs)\//.test(path))).toEqual([])
    // The package names files of its own: its messages by path, its pages by link.
    const files = new Set(placed.files)
    const named: string[] = []
    for (const file of files) {
      if (!/^dist\/(?!bundle).*\.js$|\.md$/.test(file)) continue
      const content = await readFile(join(placed.packageDir, file), 'utf8')
      const paths = content.match(/\b(docs|deploy)\/[\w./-]+\.\w+/g) ?? []
      const links = [...content.matchAll(/\]\((?!\w+:)([^)#\s]+)/g)].map(([, link = '']) => link)
      if (file.endsWith('.js')) named.push(...paths)
      else named.push(...links.map((link) => posix.join(posix.dirname(file), link)))
    }
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((path) => !existsSync(join(placed.packageDir, path)))).toEqual([])
    // No user's first command makes them.
    expect(existsSync(join(placed.packageDir, 'dist/bundle', basename(bundle.codePath)))).toBe(true)
    const sources = placed.files.filter((path) => /(?<!\.d)\.ts$/.test(path))
    expect(sources).toEqual([])
    const outside = placed.files.filter((path) => !/^(dist|docs|deploy)\//.test(path)).toSorted()
    expect(outside).toEqual([
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'bench/README.md',
      'bin/coinlake.js',
      'config/config.schema.json',
      'package.json',
    ])
  })

  test('shows the demo in an empty folder, and is then complete', async () => {
    const shown = await coinlake(['demo'])
    expect(shown.exitCode, shown.stderr).toBe(0)
    expect(shown.stdout).toContain('FROM daily_prices')
    const link = join(placed.home, 'demo/warehouse/coinlake.duckdb')
    expect((await lstat(link)).isSymbolicLink()).toBe(true)
    const sql = 'select count(*)::integer as n from daily_prices'
    const counted = await coinlake(['query', '-w', 'demo/warehouse', sql, '--json'])
    expect(JSON.parse(counted.stdout)[0].n).toBeGreaterThan(10_000)

    const again = await coinlake(['demo'])
    expect(again.stderr).toMatch(/\b0 calls/)
  })

  test('writes a configuration that it takes', async () => {
    const url = 'http://127.0.0.1:8400'
    expect(await coinlake(['init', '--base-url', url, '--yes'])).toMatchObject({ exitCode: 0 })
    expect(await coinlake(['config', 'check'])).toMatchObject({ exitCode: 0 })
  })

  test('types and values of coinlake/datasets reach a TypeScript project', async () => {
    const project = join(placed.home, 'consumer')
    await mkdir(project)
    await writeFile(
      join(project, 'main.mts'),
      `import { datasetByName } from 'coinlake/datasets'
const names: string[] | undefined = datasetByName('ohlc')?.tables.map((table) => table.name)
console.log(names?.join())
`,
    )
    const compiler = join(REPOSITORY, 'node_modules/typescript/bin/tsc')
    const flags =
      '--module nodenext --target es2024 --strict --skipLibCheck --types --noEmitOnError'
    const compile = [process.execPath, compiler, ...flags.split(' '), 'main.mts']
    expect((await runIn(project, compile)).stdout).toBe('')
    expect((await runIn(project, [process.execPath, 'main.mjs'])).stdout.trim()).toBe('ohlc')
  })

  test('an older Node is told what to install, or goes on with the one beside', async ({
    skip,
  }) => {
    const old = await findOldNode()
    if (old === null) {
      skip('no Node older than 22.19 on PATH')
      return
    }
    const refused = await coinlake(['--version'], old)
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain('npm install node@24')

    const { version } = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8')) as {
      version: string
    }
    await symlink(join(REPOSITORY, 'node_modules/node'), join(placed.home, 'node_modules/node'))
    expect(await coinlake(['--version'], old)).toMatchObject({
      exitCode: 0,
      stdout: `${version}\n`,
    })
  })
})
