import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeWhole } from '../config/atomic-file.ts'
import { cacheDir, type Env } from './engine-env.ts'
import { EngineError } from './engine-error.ts'

const IMPORT_PATTERN = /(?:\bfrom|\bimport)\s*(?:\(\s*)?['"]([^'"]+)['"]/g

const require = createRequire(import.meta.url)

/** The path of a module of the workflows: .ts in the repository, even if this code runs in dist/bundle; .js in the package. */
function ownModule(name: string): string {
  const places = [`../workflows/${name}.ts`, `../../workflows/${name}.ts`]
  const paths = places.map((place) => fileURLToPath(new URL(place, import.meta.url)))
  return (
    paths.find((path) => existsSync(path)) ??
    fileURLToPath(new URL(`../workflows/${name}.js`, import.meta.url))
  )
}

function packageVersion(name: string): string {
  try {
    return String((require(`${name}/package.json`) as { version?: string }).version)
  } catch {
    return 'unknown'
  }
}

/** Adds a module and all its imports. Types count too: the hash may change too often, but never too seldom. */
function addModule(path: string, seen: Map<string, string>): void {
  if (seen.has(path) || !existsSync(path)) return
  const source = readFileSync(path, 'utf8')
  seen.set(path, source)
  for (const [, specifier = ''] of source.matchAll(IMPORT_PATTERN)) {
    if (specifier.startsWith('.')) addModule(resolve(dirname(path), specifier), seen)
    else seen.set(specifier, packageVersion(specifier))
  }
}

/** A hash of this code with this SDK, the same in every folder. */
function contentHash(...entries: string[]): string {
  const seen = new Map<string, string>()
  for (const entry of entries) addModule(entry, seen)
  const hash = createHash('sha256').update(packageVersion('@temporalio/worker'))
  for (const [path, content] of seen) {
    hash.update(`\0${path.startsWith('/') ? '' : path}\0${content}`)
  }
  return hash.digest('hex').slice(0, 32)
}

/**
 * Finds the bundle of the workflows (10 ms), or makes it (a second), one for each content and SDK version. The package
 * has it (`npm run bundle`), else the user's cache.
 *
 * @throws EngineError CACHE_NOT_WRITABLE; Error when the workflows do not compile or import forbidden modules.
 */
export async function workflowBundle(source: {
  env: Env
  /** The module that exports every workflow. Default: coinlake's own. */
  entry?: string
}): Promise<{ codePath: string }> {
  const entry = source.entry ?? ownModule('index')
  const dir = join(cacheDir(source.env), 'bundles')
  const name = `${contentHash(entry)}.js`
  const codePath = join(dir, name)
  const packed = fileURLToPath(new URL(name, import.meta.url))
  for (const made of [packed, codePath]) {
    if (existsSync(made)) return { codePath: made }
  }
  // Loaded here and not above: the bundler is large and seldom needed.
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker')
  const errors: string[] = []
  const logger = new DefaultLogger('ERROR', (line) => errors.push(line.message))
  const { code } = await bundleWorkflowCode({ workflowsPath: entry, logger }).catch(
    (error: unknown) => {
      throw new Error(`cannot bundle ${entry}: ${[String(error), ...errors].join('\n')}`, {
        cause: error,
      })
    },
  )
  keepBundle(codePath, withoutSourceMap(code))
  return { codePath }
}

/** Hash of the code of a run's workflows, for the names of its queues. The budgets' queue has a protocol number instead. */
export function workflowsId(): string {
  return contentHash(ownModule('export-warehouse'), ownModule('sync-warehouse'))
}

/** The SDK wants a map. The real one takes 10 MB of memory in each process, only for line numbers in stacks. */
export const EMPTY_SOURCE_MAP = { version: 3, file: '', sources: [], names: [], mappings: '' }

function withoutSourceMap(code: string): string {
  const empty = Buffer.from(JSON.stringify(EMPTY_SOURCE_MAP)).toString('base64')
  const at = code.lastIndexOf('//# sourceMappingURL=data:')
  return at < 0 ? code : `${code.slice(0, code.indexOf(',', at) + 1)}${empty}`
}

function keepBundle(codePath: string, code: string): void {
  try {
    writeWhole(codePath, code)
  } catch (error) {
    throw new EngineError(`cannot keep the workflows in the cache: ${(error as Error).message}`, {
      code: 'CACHE_NOT_WRITABLE',
      hint: 'Make that folder writable, or set XDG_CACHE_HOME to one that is.',
      cause: error,
    })
  }
}
