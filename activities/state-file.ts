import { readFileSync } from 'node:fs'
import { writeDurably } from '../config/atomic-file.ts'
import { SinkError } from '../sinks/sink-error.ts'

/**
 * Writes a JSON file of the state folder, whole or not at all, readable for its owner only.
 *
 * @throws SinkError with `code`
 */
export async function writeStateFile(file: string, value: unknown, code: string): Promise<void> {
  try {
    await writeDurably(file, `${JSON.stringify(value, null, 2)}\n`)
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause)
    throw new SinkError(`cannot write ${file} (${reason})`, {
      code,
      hint: 'Make the warehouse folder writable and free some space, then run the same command again.',
      cause,
    })
  }
}

/** A JSON file of a state folder; null = it is missing or damaged, and so says nothing. */
export function readStateFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
