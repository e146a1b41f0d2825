import type { Effects } from '../effects.ts'
import { cellJson } from './cell-text.ts'
import type { WriteOptions } from './formats.ts'
import type { Output } from './output.ts'
import type { QueryResult } from './query-result.ts'

/** Writes one JSON array with an object a line. */
export async function writeJson(
  _effects: Effects,
  result: QueryResult,
  output: Output,
  { instant }: WriteOptions,
): Promise<void> {
  const keys = result.names.map((name) => `${JSON.stringify(name)}:`)
  let separator = '[\n'
  for await (const chunk of result.chunks) {
    const columns = result.types.map((type, index) =>
      chunk.getColumnValues(index).map((value) => cellJson(value, type, instant)),
    )
    let text = ''
    for (let row = 0; row < chunk.rowCount; row++) {
      const fields = keys.map((key, index) => `${key}${columns[index]?.[row] ?? 'null'}`)
      text += `${separator}{${fields.join(',')}}`
      separator = ',\n'
    }
    await output.write(text)
  }
  await output.write(separator === '[\n' ? '[]\n' : '\n]\n')
}
