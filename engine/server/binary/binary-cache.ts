import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Env } from '../../engine-dirs.ts'
import { cacheDir } from '../../engine-dirs.ts'
import { probeBinary } from './probe-binary.ts'
import type { ServerBinary } from './probe-binary.ts'

/** Where a version of the CLI is kept for this user. */
export function cachedBinaryPath(env: Env, version: string): string {
  return join(cacheDir(env), `temporal-${version}`, 'temporal')
}

/** Whether there is a file here that this user may run. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** A folder in the cache for something half done, on the same file system as its final place. */
export function draftDir(env: Env): string {
  mkdirSync(cacheDir(env), { recursive: true, mode: 0o700 })
  return mkdtempSync(join(cacheDir(env), 'draft-'))
}

/**
 * Puts a new binary into the cache in one step, after a trial run here: another process finds all of it or nothing.
 *
 * @returns the cached binary, or the reason why the new one will not do.
 */
export async function keepBinary(
  env: Env,
  draft: string,
  version: string,
): Promise<ServerBinary | string> {
  const probed = await probeBinary(draft, env)
  if (typeof probed === 'string') return probed
  const path = cachedBinaryPath(env, version)
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  renameSync(draft, path)
  return { ...probed, path }
}

/** Removes what `draftDir` made. */
export function dropDraft(dir: string): void {
  rmSync(dir, { recursive: true, force: true })
}
