import { cellTextOf } from './cell-text.ts'
import type { InstantText } from './instant-text.ts'
import type { Output } from './output.ts'
import type { QueryResult } from './query-result.ts'

/** Text that CSV readers would take apart. */
const NEEDS_QUOTES = /[",\r\n]/

/**
 * CSV with a header, quoted as RFC 4180 says. Lines end in LF, which every reader takes and shell
 * tools need. NULL is nothing at all, an empty text is `""`.
 */
export async function writeCsv(
  result: QueryResult,
  output: Output,
  instant: InstantText,
): Promise<void> {
  if (result.names.length === 0) return
  const cells = result.types.map((type) => cellTextOf(type, instant))
  await output.write(`${result.names.map(csvField).join(',')}\n`)
  for await (const chunk of result.chunks) {
    const columns = cells.map((cell, index) =>
      chunk.getColumnValues(index).map((value) => (value === null ? '' : csvField(cell(value)))),
    )
    let text = ''
    for (let row = 0; row < chunk.rowCount; row++) {
      text += `${columns.map((column) => column[row]).join(',')}\n`
    }
    await output.write(text)
  }
}

function csvField(text: string): string {
  return text === '' || NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
