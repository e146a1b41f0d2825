import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cacheDir } from '../../../engine/engine-env.ts'

/** An extension loads into the DuckDB that it was built for and no other: that of @duckdb/node-api. */
const VERSION = '1.5.5'
const NAMES = ['ducklake', 'httpfs', 'postgres_scanner', 'sqlite_scanner']

/**
 * A folder with the extensions, made once in the user's cache from their Python wheels: those come from
 * where pip is told to look, so no server of DuckDB need be reached.
 */
export async function extensionFolder(): Promise<string> {
  const folder = join(cacheDir(process.env), 'duckdb-extensions', `v${VERSION}`)
  mkdirSync(folder, { recursive: true })
  for (const name of NAMES) {
    const file = join(folder, `${name}.duckdb_extension`)
    if (!existsSync(file)) await fromWheel(name, file)
  }
  return folder
}

async function fromWheel(name: string, file: string): Promise<void> {
  const requirement = `duckdb-extension-${name.replace('_', '-')}==${VERSION}`
  const dir = mkdtempSync(join(tmpdir(), 'coinlake-scale-wheel-'))
  try {
    const args = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', dir, requirement]
    const { status, stderr, error } = spawnSync('python3', args, { encoding: 'utf8' })
    const entries = readdirSync(dir, { recursive: true, encoding: 'utf8' })
    const extension = entries.find((entry) => entry.endsWith('.duckdb_extension'))
    if (status !== 0 || extension === undefined) {
      throw new Error(`python3 ${args.join(' ')} failed: ${error?.message ?? stderr.trim()}`)
    }
    renameSync(join(dir, extension), file)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
