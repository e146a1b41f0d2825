import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { SinkError } from '../../sinks/sink-error.ts'
import type { Effects } from '../effects.ts'
import { writeText } from '../query/output.ts'

export const DEFAULT_REPORT_FILE = 'coinlake-report.html'

/** Marks a page as ours, so that it may be replaced. */
export const REPORT_MARK = '<meta name="generator" content="coinlake report">'

/** The mark stands in these first characters. */
const HEAD_CHARS = 1_024

/**
 * Writes a document to `target` (`-` is standard output), whole or not at all. A named file is replaced, as by
 * `query -o`; under the default name only an earlier report is.
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
    throw new SinkError(`${file} exists, and is no report of coinlake`, {
      code: 'OUTPUT_EXISTS',
      hint: 'Move it away, or name a file to replace with -o.',
    })
  }
  await writeText(effects, name, text)
  return file
}

function isOursOrAbsent(file: string): boolean {
  try {
    return readFileSync(file, 'utf8').slice(0, HEAD_CHARS).includes(REPORT_MARK)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}
