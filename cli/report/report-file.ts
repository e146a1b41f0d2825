import { closeSync, openSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import { SinkError } from '../../sinks/sink-error.ts'
import type { Effects } from '../effects.ts'
import { writeText } from '../query/output.ts'

/** Where a page goes that nobody gave a name. */
export const DEFAULT_REPORT_FILE = 'coinlake-report.html'

/** By this a page is known as ours before it is written over. */
export const REPORT_MARK = '<meta name="generator" content="coinlake report">'

/** The mark stands in the head of the page. */
const HEAD_BYTES = 1_024

/**
 * Writes a document to `target` (`-` is standard output), whole or not at all. A name that was given is
 * written over, as `query -o` does; under the default name only an earlier report is.
 *
 * @throws SinkError OUTPUT_EXISTS, OUTPUT_NOT_WRITABLE
 */
export async function writeReport(
  effects: Effects,
  text: string,
  target: string | null,
): Promise<string> {
  const name = target ?? DEFAULT_REPORT_FILE
  const file = resolve(effects.cwd, name)
  if (target === null && !isOursOrAbsent(file)) {
    throw new SinkError(`${file} is there and is no report of coinlake`, {
      code: 'OUTPUT_EXISTS',
      hint: 'Move it away, or name another file with -o; a file that is named is written over.',
    })
  }
  await writeText(effects, name, text)
  return file
}

function isOursOrAbsent(file: string): boolean {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    // Writing the file reports every other reason.
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    const length = readSync(descriptor, head, 0, HEAD_BYTES, 0)
    return head.toString('utf8', 0, length).includes(REPORT_MARK)
  } catch {
    return false
  } finally {
    closeSync(descriptor)
  }
}
