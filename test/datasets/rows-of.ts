import type { Table } from 'apache-arrow'
import type { Row, TableSpec } from '../../datasets/dataset.ts'

const DAY_MS = 86_400_000

interface Memory {
  values: Uint8Array
  valueOffsets: Int32Array
  dictionary?: { data: readonly [Memory] }
  nullBitmap: Uint8Array
  nullCount: number
}

/**
 * Rows in the form the service reads them, decoded by hand from the memory of an Arrow table of one
 * batch. This code shares nothing with the code that wrote them.
 */
export function rowsOf(spec: TableSpec, table: Table): Row[] {
  const rows: Row[] = Array.from({ length: table.numRows }, () => ({}))
  for (const column of spec.columns) {
    const memory = table.getChild(column.name)!.data[0] as unknown as Memory
    const decode = DECODE[column.type]
    rows.forEach((row, i) => {
      const isNull = memory.nullCount > 0 && ((memory.nullBitmap[i >> 3]! >> (i & 7)) & 1) === 0
      row[column.name] = isNull ? null : decode(memory, i)
    })
  }
  return rows
}

const DECODE = {
  double: (memory: Memory, i: number) => memory.values[i]!,
  integer: (memory: Memory, i: number) => Number(memory.values[i]),
  timestamp: (memory: Memory, i: number) => Number(memory.values[i]) / 1000,
  date: (memory: Memory, i: number) =>
    new Date(memory.values[i]! * DAY_MS).toISOString().slice(0, 10),
  boolean: (memory: Memory, i: number) => ((memory.values[i >> 3]! >> (i & 7)) & 1) === 1,
  json: textAt,
  string: (memory: Memory, i: number) => textAt(memory.dictionary!.data[0], memory.values[i]!),
}

function textAt(memory: Memory, i: number): string {
  const [start, end] = [memory.valueOffsets[i]!, memory.valueOffsets[i + 1]!]
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(memory.values.subarray(start, end))
}
