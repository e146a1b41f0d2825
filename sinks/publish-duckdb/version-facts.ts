import { readFile, readlink, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * The facts of one published file, as JSON beside it (`<file>.json`). They are written before the file gets its name.
 * So the link's target can be checked without opening it.
 */
export interface VersionFacts {
  run_id: string
  load_id: number
  ledger: string
  definition: string
  rows: number
  size_bytes: number
  /** Modification time in ms. Another program that writes to the file changes this time. */
  written_at_ms: number
}

export function factsPath(file: string): string {
  return `${file}.json`
}

/** A published file with its facts, and its present size and time. */
export interface FoundVersion {
  /** Absolute. */
  file: string
  facts: VersionFacts
  sizeBytes: number
  writtenAtMs: number
}

/** The facts of the linked file; null: there is none, or the file does not match its facts. */
export async function currentVersion(link: string): Promise<FoundVersion | null> {
  const found = await linkedVersion(link)
  return found !== null && isUntouched(found) ? found : null
}

export function isUntouched({ facts, sizeBytes, writtenAtMs }: FoundVersion): boolean {
  return sizeBytes === facts.size_bytes && writtenAtMs === facts.written_at_ms
}

/** The target of the link; null: the file or its facts are gone. */
export async function linkedVersion(link: string): Promise<FoundVersion | null> {
  const target = await readlink(link).catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })
  return target === null ? null : await versionAt(resolve(dirname(link), target))
}

/** A published file with its facts, linked or not. */
export async function versionAt(file: string): Promise<FoundVersion | null> {
  try {
    const facts = JSON.parse(await readFile(factsPath(file), 'utf8')) as VersionFacts
    const { size: sizeBytes, mtimeMs: writtenAtMs } = await stat(file)
    return { file, facts, sizeBytes, writtenAtMs }
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return null
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
