import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../../../config/atomic-file.ts'
import type { Env } from '../../engine-dirs.ts'
import { cacheDir } from '../../engine-dirs.ts'
import { probeBinary } from './probe-binary.ts'
import type { ServerBinary } from './probe-binary.ts'

/** A binary that will do, and a mark of the file as it was. */
interface Remembered extends ServerBinary {
  mark: string
}

/**
 * As probeBinary, whose three commands take as long as the start of the server: a file that has been found good is
 * believed until its inode, size or modification time changes. A file that was found bad is probed each time.
 */
export async function probeOnce(path: string, env: Env): Promise<ServerBinary | string> {
  const mark = markOf(path)
  const before = readRemembered(env)
  const known = before.find((one) => one.path === path && one.mark === mark)
  if (known !== undefined) {
    const { version, serverVersion } = known
    return { path, version, serverVersion }
  }
  const probed = await probeBinary(path, env)
  if (typeof probed !== 'string' && mark !== null && mark === markOf(path)) {
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
  try {
    const known: unknown = JSON.parse(readFileSync(fileIn(env), 'utf8'))
    return Array.isArray(known) ? (known as Remembered[]) : []
  } catch {
    return []
  }
}

/** In one step, since others may read; a cache that cannot be written is no fault. */
function remember(env: Env, all: readonly Remembered[]): void {
  try {
    writeWhole(fileIn(env), JSON.stringify(all))
  } catch {
    // The binary is probed again the next time.
  }
}
