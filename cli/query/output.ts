import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { mkdtemp, open, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import { printableLines } from '../../config/values/foreign-text.ts'
import {
  keptPlaces,
  realPathOf,
  warehousePaths,
  type WarehousePaths,
} from '../../config/warehouse-paths.ts'
import { isFileThere } from '../../sinks/is-there.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import type { Effects } from '../effects.ts'
import { QueryError } from './query-error.ts'

export interface Output {
  /**
   * Writes data, unchanged into files and pipes, and as printable text on a terminal. Resolves once the bytes are
   * taken, so that a slow reader slows the query and fills no memory.
   */
  write(bytes: string | Uint8Array): Promise<void>
  /** Writes lines that are printable already, and may have our colours. */
  draw(text: string): Promise<void>
  /** Completes the output. A file gets its name only now. */
  finish(): Promise<void>
  /** Removes the unfinished file; an older one of that name stays. */
  discard(): Promise<void>
}

/** The reader of standard output has gone (`| head`). This is no failure. */
class ReaderGone extends Error {}

/**
 * A file is written beside its place and renamed at the end; pipes and devices are written directly.
 *
 * @param target a path, or `-` for standard output
 * @throws SinkError OUTPUT_NOT_WRITABLE; `write` and `finish` also throw it, and ReaderGone
 */
async function openOutput(effects: Effects, target: string): Promise<Output> {
  if (target === '-') return standardOutput(effects)
  const file = fileOf(effects.cwd, target)
  const isRenamedAtEnd = isFileOrAbsent(file, target)
  const path = isRenamedAtEnd ? temporaryPath(file) : file
  const fail = (cause: unknown): never => {
    throw notWritableError(target, cause)
  }
  const handle = await open(path, 'w').catch(fail)
  const write = (bytes: string | Uint8Array): Promise<void> => handle.appendFile(bytes).catch(fail)
  return {
    write,
    draw: write,
    async finish() {
      await handle.close().catch(fail)
      if (isRenamedAtEnd) await rename(path, file).catch(fail)
    },
    async discard() {
      await handle.close().catch(() => undefined)
      if (isRenamedAtEnd) await rm(path, { force: true })
    },
  }
}

export async function writeText(effects: Effects, target: string, text: string): Promise<void> {
  await writeOutput(effects, target, (output) => output.write(text))
}

/** Opens an output and writes it whole or not at all. A reader that has gone is no failure. @throws as `openOutput` */
export async function writeOutput(
  effects: Effects,
  target: string,
  write: (output: Output) => Promise<void>,
): Promise<void> {
  const output = await openOutput(effects, target)
  try {
    await write(output)
    await output.finish()
  } catch (error) {
    await output.discard()
    if (!(error instanceof ReaderGone)) throw error
  }
}

/**
 * The absolute path of a target. Links are followed, also to folders of a target that is not there yet, so that a link
 * stays and its file is replaced. In the shell's `-o /dev/stdout > file` that is the shell's file.
 */
export function fileOf(cwd: string, target: string): string {
  return realPathOf(resolve(cwd, target))
}

/** For use before work that costs calls. @throws SinkError OUTPUT_NOT_WRITABLE */
export function requireFolder(cwd: string, target: string): void {
  const file = fileOf(cwd, target)
  if (target === '-' || !isFileOrAbsent(file, target)) return
  try {
    accessSync(dirname(file), constants.W_OK)
  } catch (cause) {
    throw notWritableError(target, cause)
  }
}

/**
 * Refuses a target among the files that coinlake keeps, and the file that is read itself.
 *
 * @throws QueryError OUTPUT_IN_WAREHOUSE
 */
export function requireOutside(paths: WarehousePaths, cwd: string, target: string): void {
  if (target === '-') return
  const root = fileOf(cwd, paths.root)
  const kept = isFileThere(root) ? [root, ...besidePublished(root)] : keptPlaces(paths)
  const folder = fileOf(cwd, dirname(resolve(cwd, target)))
  const places = [fileOf(cwd, target), join(folder, basename(target))]
  const isKept = kept
    .map((path) => fileOf(cwd, path))
    .some((path) => places.some((place) => place === path || place.startsWith(`${path}${sep}`)))
  if (!isKept) return
  throw new QueryError(`-o ${target} would replace a file that coinlake keeps for ${paths.root}`, {
    code: 'OUTPUT_IN_WAREHOUSE',
    hint: 'Name a file outside of state, stage, duckdb, parquet, delta and a lake, and not the file that is read.',
  })
}

/** The places of coinlake beside a published file that lies in a warehouse. */
function besidePublished(file: string): string[] {
  const folder = dirname(file)
  return [folder, dirname(folder)]
    .map(warehousePaths)
    .filter(({ storeFile }) => existsSync(storeFile))
    .flatMap(keptPlaces)
}

/** A name beside the file, so that the rename stays within one file system. */
export function temporaryPath(file: string): string {
  return `${file}.${process.pid}.tmp`
}

export function notWritableError(target: string, cause: unknown): SinkError {
  const code = (cause as NodeJS.ErrnoException).code ?? String(cause)
  const isFull = /^(ENOSPC|EDQUOT|EFBIG)$/.test(code)
  return new SinkError(`cannot write ${target} (${code})`, {
    code: 'OUTPUT_NOT_WRITABLE',
    hint: isFull
      ? 'Free some space, or write to another disk.'
      : 'Name a file in a folder that exists and that you may write, or `-` for standard output.',
    cause,
  })
}

/** A new folder under TMPDIR. @throws ConfigError TMPDIR_NOT_WRITABLE */
export function makeTemporaryFolder(prefix: string): Promise<string> {
  return mkdtemp(join(tmpdir(), prefix)).catch((cause: unknown) => {
    throw new ConfigError(`cannot make a folder in ${tmpdir()}: ${(cause as Error).message}`, {
      code: 'TMPDIR_NOT_WRITABLE',
      hint: 'Set TMPDIR to a folder that is there and that you may write.',
      cause,
    })
  })
}

/** Whether the file can be replaced by a rename; pipes and devices cannot. @throws SinkError for a folder */
export function isFileOrAbsent(file: string, target: string): boolean {
  // A path that this user may not look at counts as absent, and fails when it is written.
  const found = existsSync(file) ? statSync(file) : undefined
  if (found?.isDirectory() === true) throw notWritableError(target, { code: 'EISDIR' })
  return found === undefined || found.isFile()
}

function standardOutput({ stdout: stream, isTerminal }: Effects): Output {
  // Without a listener a broken pipe would end the process with a stack.
  stream.on('error', () => undefined)
  const draw = async (bytes: string | Uint8Array): Promise<void> => {
    const written = Promise.withResolvers<void>()
    stream.write(bytes, (error) => (error ? written.reject(error) : written.resolve()))
    await written.promise.catch((cause: unknown) => {
      const { code } = cause as NodeJS.ErrnoException
      if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') throw new ReaderGone()
      throw notWritableError('standard output', cause)
    })
  }
  return {
    write: (bytes) => draw(isTerminal && typeof bytes === 'string' ? printableLines(bytes) : bytes),
    draw,
    finish: () => Promise.resolve(),
    discard: () => Promise.resolve(),
  }
}
