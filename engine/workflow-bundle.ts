import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeWhole } from '../config/atomic-file.ts'
import type { Env } from './engine-dirs.ts'
import { cacheDir } from './engine-dirs.ts'
import { EngineError } from './engine-error.ts'

/** A bundle on disk, as workers take it. */
export interface WorkflowBundle {
  codePath: string
  /** Whether it was there already (about 10 ms) or had to be made (about a second). */
  cached: boolean
}

/** What to bundle; the defaults are coinlake's own workflows. */
export interface BundleSource {
  env: Env
  /** The module that exports every workflow. */
  entry?: string
}

const IMPORT = /(?:\bfrom|\bimport)\s*(?:\(\s*)?['"]([^'"]+)['"]/g

const require = createRequire(import.meta.url)

/** A module of the workflows in the form that runs here: .ts in the repository, .js in the package. */
function ownModule(name: 'index' | 'budget'): string {
  const extension = extname(fileURLToPath(import.meta.url))
  return fileURLToPath(new URL(`../workflows/${name}${extension}`, import.meta.url))
}

function packageVersion(name: string): string {
  try {
    return String((require(`${name}/package.json`) as { version?: string }).version)
  } catch {
    return 'unknown'
  }
}

/** Adds a module and all it imports (types too: more than needed, never less) to the hash. */
function addModule(path: string, seen: Map<string, string>): void {
  if (seen.has(path) || !existsSync(path)) return
  const source = readFileSync(path, 'utf8')
  seen.set(path, source)
  for (const [, specifier = ''] of source.matchAll(IMPORT)) {
    if (specifier.startsWith('.')) addModule(resolve(dirname(path), specifier), seen)
    else seen.set(specifier, packageVersion(specifier))
  }
}

/** A name for exactly this code with exactly this SDK, wherever it lies. */
function contentHash(entry: string): string {
  const seen = new Map<string, string>()
  addModule(entry, seen)
  const hash = createHash('sha256').update(packageVersion('@temporalio/worker'))
  for (const [path, content] of seen) {
    hash.update(`\0${path.startsWith('/') ? '' : path}\0${content}`)
  }
  return hash.digest('hex').slice(0, 32)
}

/**
 * The bundled workflows, made once per content and SDK version and kept in the user's cache: a
 * worker starts a second faster with it.
 *
 * @throws EngineError CACHE_NOT_WRITABLE; Error of the bundler when the workflows do not compile or import what they must not.
 */
export async function workflowBundle(source: BundleSource): Promise<WorkflowBundle> {
  const entry = source.entry ?? ownModule('index')
  const dir = join(cacheDir(source.env), 'bundles')
  const codePath = join(dir, `${contentHash(entry)}.js`)
  if (existsSync(codePath)) return { codePath, cached: true }
  // Loaded here and not above: the bundler is big, and mostly not needed.
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
  keepBundle(codePath, code)
  return { codePath, cached: false }
}

/** The bundle of the budgets, which is small and changes only with their protocol (queues.ts). */
export async function budgetBundle(env: Env): Promise<WorkflowBundle> {
  return workflowBundle({ env, entry: ownModule('budget') })
}

/** Names the workflow code of this coinlake: it stands in the names of its queues. */
export async function workflowsIdOf(env: Env): Promise<string> {
  const { codePath } = await workflowBundle({ env })
  return basename(codePath, '.js')
}

/** Under its name in one step, so that no worker reads half of it. */
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
