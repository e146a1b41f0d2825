import { statSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../../../config/atomic-file.ts'
import { readStateFile } from '../../../activities/state-file.ts'
import { cacheDir, type Env } from '../../engine-env.ts'
import { probeBinary, type ServerBinary } from './probe-binary.ts'

/** A usable binary, and a mark of its file: inode, size and modification time. */
interface Remembered extends ServerBinary {
  mark: string
}

/**
 * As probeBinary, but remembers usable binaries until their mark changes: a probe takes as long as the start of the
 * server. An unusable binary is probed each time.
 */
export async function probeOnce(path: string, env: Env): Promise<ServerBinary> {
  const mark = markOf(path)
  const before = readRemembered(env)
  const known = before.find((one) => one.path === path && one.mark === mark)
  if (known !== undefined) return known
  const probed = await probeBinary(path, env)
  if (mark !== null && mark === markOf(path)) {
    remember(env, [...before.filter((one) => one.path !== path), { ...probed, mark }])
  }
  return probed
}

function markOf(path: string): string | null {
  const facts = statSync(path, { throwIfNoEntry: false })
  return facts === undefined ? null : `${facts.ino} ${facts.size} ${facts.mtimeMs}`
}

function fileIn(env: Env): string {
  return join(cacheDir(env), 'probed.json')
}

function readRemembered(env: Env): Remembered[] {
  const known = readStateFile(fileIn(env))
  return Array.isArray(known) ? (known as Remembered[]) : []
}

/** Remembers usable binaries for later processes. A cache that cannot be written is no fault. */
function remember(env: Env, all: readonly Remembered[]): void {
  try {
    writeWhole(fileIn(env), JSON.stringify(all))
  } catch {
    // The next process probes the binary again.
  }
}
