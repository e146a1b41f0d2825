import { accessSync, constants, mkdirSync, mkdtempSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDir, type Env } from '../../engine-env.ts'
import { probeBinary, type ServerBinary } from './probe-binary.ts'

export function cachedBinaryPath(env: Env, version: string): string {
  return join(cacheDir(env), `temporal-${version}`, 'temporal')
}

/** Whether the path is a file that this user may run. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Makes a folder for drafts in the cache: on the same disk, so that a rename can move a draft. */
export function makeDraftDir(env: Env): string {
  mkdirSync(cacheDir(env), { recursive: true, mode: 0o700 })
  return mkdtempSync(join(cacheDir(env), 'draft-'))
}

/** Probes a new binary and renames it into the cache, so that no process finds half of it. */
export async function keepBinary(env: Env, draft: string, version: string): Promise<ServerBinary> {
  const probed = await probeBinary(draft, env)
  const path = cachedBinaryPath(env, version)
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  renameSync(draft, path)
  return { ...probed, path }
}
