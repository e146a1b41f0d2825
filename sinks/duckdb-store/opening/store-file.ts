import { readFileSync } from 'node:fs'
import { mkdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { SinkError, WarehouseBusyError } from '../../sink-error.ts'
import { asSinkError, STORE_DAMAGE } from '../as-sink-error.ts'

/** Every DuckDB from 1.0 on reads this version. The engine's default may change. */
const STORAGE_VERSION = 'v1.0.0'
/**
 * The memory of DuckDB. Larger work goes to its temp folder. Loads and publications are cut into pieces of about 100
 * MB. More memory would only cache written blocks and grow with the warehouse. Sorts of a large publication partly go
 * to disk, which takes 2 s of 60 at four million rows. With 96 MiB a run of all datasets ended with a fatal error of
 * DuckDB (test/proof/round-trip.test.ts).
 */
const MEMORY_LIMIT = '128MiB'
/** Each thread fills row groups of its own. Two take twice the CPU time and 1.5 times the bytes for a large load. */
const THREADS = '1'
/** Another process makes a new file within a tenth of this time. */
const MADE_WITHIN_MS = 500
/** Characters of another process's command in a message. */
const MAX_COMMAND = 160

/**
 * Opens or creates the store's file. A missing folder is made (0700). Within one process the same file gives the same
 * DuckDB instance. A second instance would open without an error and lose rows silently. Nothing else may open the
 * file: closing any descriptor of it drops DuckDB's lock.
 *
 * @returns `path` is absolute, with the symlinks of its folder resolved: a file has one path
 * @throws SinkError STORE_IS_FOLDER, STORE_NOT_DUCKDB, STORE_DAMAGED, STORE_TOO_NEW, STORE_LOCKED, STORE_NOT_WRITABLE,
 *   STORE_PATH. The file stays as it was.
 */
export async function openStoreFile(
  file: string,
): Promise<{ instance: DuckDBInstance; path: string }> {
  const path = await prepare(resolve(file))
  const open = (): Promise<DuckDBInstance> =>
    DuckDBInstance.fromCache(path, {
      storage_compatibility_version: STORAGE_VERSION,
      memory_limit: MEMORY_LIMIT,
      threads: THREADS,
      temp_directory: join(dirname(path), 'duckdb-tmp'),
    })
  try {
    const instance = await open().catch(async (error: unknown) => {
      if (!isNotDuckdb(error) || !(await isBeingMade(path))) throw error
      await sleep(MADE_WITHIN_MS)
      return await open()
    })
    return { instance, path }
  } catch (error) {
    throw openError(error, path)
  }
}

/** Whether another process may be making this file: until its first bytes are there, DuckDB calls it invalid. */
async function isBeingMade(path: string): Promise<boolean> {
  const facts = await stat(path).catch(() => null)
  return facts !== null && Date.now() - facts.mtimeMs < MADE_WITHIN_MS
}

function isNotDuckdb(error: unknown): boolean {
  return /not a valid DuckDB database file|not read enough bytes/i.test(String(error))
}

async function prepare(file: string): Promise<string> {
  const folder = dirname(file)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(await realpath(folder), basename(file))
    if ((await stat(path).catch(() => null))?.isDirectory() === true) {
      throw new SinkError(`the store ${path} is a folder, not a file`, {
        code: 'STORE_IS_FOLDER',
        hint: 'Choose another warehouse folder, or move that folder away.',
      })
    }
    return path
  } catch (error) {
    if (error instanceof SinkError) throw error
    const text = error instanceof Error ? error.message : String(error)
    throw new SinkError(`cannot make the folder of the store ${file}: ${text}`, {
      code: /EACCES|EPERM|EROFS/.test(text) ? 'STORE_NOT_WRITABLE' : 'STORE_PATH',
      hint: 'Choose a warehouse folder that can be made and written by this user.',
      cause: error,
    })
  }
}

/** The program's name ends before the next `Conflicting lock`, so that a match takes linear time. */
const LOCK_HOLDER_MESSAGE =
  /Conflicting lock is held in (?<program>(?:(?!Conflicting lock).)+?) \(PID (?<pid>\d+)\)/

function openError(error: unknown, path: string): Error {
  const text = error instanceof Error ? error.message : String(error)
  const holder = LOCK_HOLDER_MESSAGE.exec(text)?.groups
  if (holder !== undefined) {
    const { pid = '', program = '' } = holder
    const command = commandOf(pid) ?? program
    return new WarehouseBusyError(`the store ${path} is held by process ${pid} (${command})`, {
      code: 'STORE_LOCKED',
      hint: `Wait for process ${pid} or end it. To read, open the published coinlake.duckdb instead.`,
      cause: error,
    })
  }
  const newer = /version number (?<version>\d+), but we can only read/.exec(text)?.groups
  if (newer !== undefined) {
    const version = newer['version']
    return new SinkError(
      `the store ${path} has DuckDB storage version ${version}, which this DuckDB cannot read`,
      {
        code: 'STORE_TOO_NEW',
        hint: 'A newer DuckDB wrote the file. Use the coinlake that made it, or another warehouse folder.',
        cause: error,
      },
    )
  }
  if (isNotDuckdb(error)) {
    return new SinkError(`the store ${path} is no valid DuckDB file: ${text.split('\n')[0]}`, {
      ...STORE_DAMAGE,
      code: 'STORE_NOT_DUCKDB',
      cause: error,
    })
  }
  return asSinkError(error, 'open the store', path)
}

/** The command line of a process, where the system shows it. DuckDB names only the program, often `node`. */
function commandOf(pid: string): string | null {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean)
    const command = words.join(' ')
    if (command === '') return null
    return command.length > MAX_COMMAND ? `${command.slice(0, MAX_COMMAND)} ...` : command
  } catch {
    return null
  }
}
