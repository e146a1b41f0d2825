import { createHash, randomBytes } from 'node:crypto'
import { closeSync, fsync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { crashPoint, type CrashPlace } from './crash-point.ts'

/** Only the owner may read fetched data, because a paid source is not for everybody on the machine. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
/** A page is written within seconds, so an older temp file has no writer. A pid alone proves nothing, because the system uses it again. */
const TEMP_MAX_AGE_MS = 3_600_000
const TEMP_NAME = /^\d+(?:-[0-9a-f]{8})?\.([0-9a-f]{8})\.tmp-(\d+)$/

/** The machine or container of a pid, because several may share a stage. */
const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
/** Tells this process from a killed one of the same pid, as each worker in a container may have. */
const PROCESS = randomBytes(4).toString('hex')
let counter = 0

const synced = promisify(fsync)

interface AtomicOptions {
  /** Folder of the temp file, on the same file system. Default: the file's own folder. */
  tempDir?: string
  /** Permissions. Default: only for the owner. */
  mode?: number
  /** Names the rename for tests of crashes. */
  place?: CrashPlace | undefined
}

/**
 * Writes a file whole or not at all, also with a power cut, by temp file, sync and rename. Makes missing folders.
 *
 * Only the syncs run in another thread, because handing over any other step costs more than the step.
 *
 * @throws the errors of the file system. No temp file is left.
 */
export async function writeDurably(
  path: string,
  content: Uint8Array | string,
  { tempDir = dirname(path), mode = FILE_MODE, place }: AtomicOptions = {},
): Promise<void> {
  const temp = join(tempDir, tempName())
  try {
    const file = inFolder(tempDir, () => openSync(temp, 'wx', mode))
    try {
      writeFileSync(file, content)
      await synced(file)
    } finally {
      closeSync(file)
    }
    if (place !== undefined) crashPoint(`${place}.before`)
    inFolder(dirname(path), () => renameSync(temp, path))
    if (place !== undefined) crashPoint(`${place}.after`)
    await syncFolder(dirname(path))
  } catch (error) {
    rmSync(temp, { force: true })
    throw error
  }
}

/** Writes a file whole or not at all; a power cut may lose it. @throws as writeDurably */
export function writeWhole(path: string, content: string): void {
  const temp = join(dirname(path), tempName())
  try {
    inFolder(dirname(path), () => writeFileSync(temp, content, { flag: 'wx', mode: FILE_MODE }))
    renameSync(temp, path)
  } catch (error) {
    rmSync(temp, { force: true })
    throw error
  }
}

/**
 * Syncs a folder, so that its renames survive a power cut. Errors are ignored, because some file systems need no sync.
 */
export async function syncFolder(path: string): Promise<void> {
  const folder = openSync(path, 'r')
  try {
    await synced(folder).catch(() => undefined)
  } finally {
    closeSync(folder)
  }
}

/** The name of a temp file that `sweepTemp` removes after this process has died. */
export function tempName(): string {
  return `${counter++}-${PROCESS}.${HOST}.tmp-${process.pid}`
}

/** Removes temp files whose writer is dead; other files in the folder stay. */
export async function sweepTemp(tempDir: string): Promise<void> {
  const names = await readdir(tempDir).catch(() => [])
  await Promise.all(
    names.map(async (name) => {
      const path = join(tempDir, name)
      const [isTemp, host, pid] = TEMP_NAME.exec(name) ?? []
      if (isTemp === undefined) return
      if (await isAbandoned(path, host, Number(pid))) await rm(path, { force: true })
    }),
  )
}

async function isAbandoned(path: string, host: string | undefined, pid: number): Promise<boolean> {
  if (host === HOST && !isAlive(pid)) return true
  const facts = await stat(path).catch(() => null)
  return facts !== null && Date.now() - facts.mtimeMs > TEMP_MAX_AGE_MS
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Runs a step that needs a folder, and makes a missing one. Other programs may remove empty folders at any moment. */
function inFolder<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    mkdirSync(path, { recursive: true, mode: FOLDER_MODE })
    return work()
  }
}
