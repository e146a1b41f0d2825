import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SinkError } from '../sinks/sink-error.ts'
import { tempName } from '../stage/durable-file.ts'

/**
 * Writes a JSON file of the warehouse's state folder, whole or not at all, for its owner only. What a
 * killed writer leaves is swept when the warehouse is opened.
 *
 * @throws SinkError with `code`
 */
export async function writeStateFile(file: string, value: unknown, code: string): Promise<void> {
  const temp = join(dirname(file), tempName())
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(temp, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
    await rename(temp, file)
  } catch (cause) {
    // A full disk must not stay full of half a file.
    await rm(temp, { force: true }).catch(() => undefined)
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause)
    throw new SinkError(`cannot write ${file} (${reason})`, {
      code,
      hint: 'Make the warehouse folder writable and free some space, then run the same command again.',
      cause,
    })
  }
}
