import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { z } from 'zod'
import { ConfigError } from '../../config/config-error.ts'
import { quotaSchema } from './quotas.ts'

const RECORD_SCHEMA = z.strictObject({
  id: z.string(),
  name: z.string().min(1),
  /** SHA-256 of the key in hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** null = the limit of the service. */
  rate: quotaSchema.nullable(),
  /** ISO, UTC. */
  created_at: z.iso.datetime(),
  /** ISO, UTC; null = accepted. */
  revoked_at: z.iso.datetime().nullable(),
})
/** One key in the file: its name and its hash, not the key. */
export type KeyRecord = z.infer<typeof RECORD_SCHEMA>
const FILE_SCHEMA = z.strictObject({ version: z.literal(1), keys: z.array(RECORD_SCHEMA) })

/** Only the owner may read the file: the names of its keys are private. */
const MODE = 0o600

/**
 * The keys of a file, oldest first; empty when there is no file.
 *
 * @throws ConfigError KEYS_FILE
 */
export function readKeyFile(path: string): readonly KeyRecord[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw keyFileError(path, `cannot be read (${(cause as NodeJS.ErrnoException).code})`, cause)
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw keyFileError(path, 'is no JSON', cause)
  }
  const parsed = FILE_SCHEMA.safeParse(json)
  if (parsed.success) return parsed.data.keys
  const [issue] = parsed.error.issues
  throw keyFileError(
    path,
    `is no key file: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
  )
}

/**
 * Replaces the keys of a file by the result of `change`, whole or not at all. The draft file is also a lock: two changes
 * at once would lose one.
 *
 * @throws ConfigError KEYS_FILE or KEYS_BUSY, and the errors of `change`
 */
export function changeKeyFile(
  path: string,
  change: (keys: readonly KeyRecord[]) => readonly KeyRecord[],
): void {
  const draft = `${path}.draft`
  const descriptor = openDraft(path, draft)
  try {
    const keys = change(readKeyFile(path))
    writeSync(descriptor, `${JSON.stringify({ version: 1, keys }, null, 2)}\n`)
    closeSync(descriptor)
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

function openDraft(path: string, draft: string): number {
  try {
    return openSync(draft, 'wx', MODE)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'EEXIST') throw keyFileError(path, `cannot be written (${code})`, cause)
    throw new ConfigError(`the key file ${path} is being changed by another command`, {
      code: 'KEYS_BUSY',
      hint: `Try again; if no other command runs, remove ${draft}.`,
      cause,
    })
  }
}

function keyFileError(path: string, what: string, cause?: unknown): ConfigError {
  return new ConfigError(`the key file ${path} ${what}`, {
    code: 'KEYS_FILE',
    hint: 'Name a file made by `coinlake keys create`, in a folder that you may write.',
    cause,
  })
}
