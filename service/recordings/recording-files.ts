import { readFileSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import type { OperationId } from '../../api/operations.ts'
import { ConfigError } from '../../config/config-error.ts'
import { newestTimeMs } from './recorded-time.ts'
import { OPERATION_IDS, recordedOperation } from './recording-names.ts'

export interface Recording {
  file: string
  operation: OperationId
  /** The known parameters of the recorded request. A request that has them gets this body before others. */
  params: Readonly<Record<string, string>>
  bytes: Uint8Array
  /** Time of the recording, epoch ms in whole seconds. */
  atMs: number
}

/** An optional file beside the recordings with their operations, parameters and times. */
const INDEX_FILE = 'recordings.json'
const INDEX_SCHEMA = z.array(
  z.strictObject({
    file: z.string(),
    operation: z.enum(OPERATION_IDS).optional(),
    params: z.record(z.string(), z.string()).optional(),
    recordedAt: z.iso.datetime({ offset: true }).optional(),
  }),
)
type IndexEntry = z.infer<typeof INDEX_SCHEMA>[number]

/**
 * Reads one file, or all recordings of a folder in the order of their names. The time of a recording, in order: in
 * `recordings.json`, the newest in its body, the file's. A warning names a JSON file without a known operation, or an
 * entry of the index without a file.
 *
 * @throws ConfigError RECORDINGS_NOT_FOUND, RECORDINGS_EMPTY or RECORDING_NOT_JSON
 */
export function readRecordings(path: string): { recordings: Recording[]; warnings: string[] } {
  const isFolder = isDirectory(path)
  const folder = isFolder ? path : dirname(path)
  const files = isFolder ? readdirSync(path).sort() : [basename(path)]
  const index = readIndex(folder)
  const warnings: string[] = []
  const recordings = files.flatMap((file) => {
    const entry = index.get(file)
    const operation = entry?.operation ?? recordedOperation(file)
    if (operation !== null) return [readRecording(join(folder, file), operation, entry)]
    if (file.endsWith('.json') && file !== INDEX_FILE) {
      warnings.push(`${file} is not answered: its name begins with no operation`)
    }
    return []
  })
  const lost = isFolder ? [...index.keys()].filter((file) => !files.includes(file)) : []
  warnings.push(...lost.map((file) => `${file} of ${INDEX_FILE} is not answered: no such file`))
  if (recordings.length === 0) {
    throw new ConfigError(`no recording of a known operation in ${path}`, {
      code: 'RECORDINGS_EMPTY',
      hint: 'Name files after operations, such as coins-id-ohlc--mine.json, or list them in recordings.json.',
    })
  }
  return { recordings, warnings }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (cause) {
    throw new ConfigError(`no recordings at ${path}`, {
      code: 'RECORDINGS_NOT_FOUND',
      hint: 'Name a folder of recorded bodies, or one such file.',
      cause,
    })
  }
}

function readRecording(
  path: string,
  operation: OperationId,
  entry: IndexEntry | undefined,
): Recording {
  const bytes = readFileSync(path)
  const body = parseJson(path, bytes)
  const knownMs = entry?.recordedAt === undefined ? null : Date.parse(entry.recordedAt)
  const atMs = knownMs ?? newestTimeMs(body) ?? statSync(path).mtimeMs
  // Rounded up: no point may be newer than its recording.
  const wholeMs = Math.ceil(atMs / 1_000) * 1_000
  return { file: basename(path), operation, params: entry?.params ?? {}, bytes, atMs: wholeMs }
}

function readIndex(folder: string): Map<string, IndexEntry> {
  const path = join(folder, INDEX_FILE)
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return new Map()
  const parsed = INDEX_SCHEMA.safeParse(parseJson(path, readFileSync(path)))
  if (!parsed.success) {
    throw notJsonError(path, z.prettifyError(parsed.error))
  }
  return new Map(parsed.data.map((entry) => [entry.file, entry]))
}

function parseJson(path: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString()) as unknown
  } catch (cause) {
    throw notJsonError(path, cause instanceof Error ? cause.message : String(cause))
  }
}

function notJsonError(path: string, why: string): ConfigError {
  return new ConfigError(`${path} is not the expected JSON: ${why}`, {
    code: 'RECORDING_NOT_JSON',
    hint: 'Repair the file or take it out of the folder.',
  })
}
