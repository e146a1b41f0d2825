import type { Table as ArrowTable } from 'apache-arrow'
import { tableFromColumns } from '../../datasets/arrow/arrow-columns.ts'
import type { ColumnsByName } from '../../datasets/arrow/column-data.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { Validity } from '../../datasets/arrow/validity.ts'

/** Rows of one series: texts common to all rows, and numbers; NaN = null. */
export interface SeriesPart {
  texts: Readonly<Record<string, string>>
  numbers: Readonly<Record<string, Float64Array>>
  rowCount: number
}

/** Gathers series of one table: writing one large batch is far cheaper than many small ones. */
export interface SeriesBatch {
  add(part: SeriesPart): void
  readonly rowCount: number
  /** All rows gathered so far. The batch is then empty. */
  take(): ArrowTable
}

/** Technical columns, which no part has, become null. */
export function createSeriesBatch(spec: TableSpec): SeriesBatch {
  let parts: SeriesPart[] = []
  let rowCount = 0
  return {
    add: (part) => {
      parts.push(part)
      rowCount += part.rowCount
    },
    get rowCount() {
      return rowCount
    },
    take: () => {
      const columns: ColumnsByName = Object.fromEntries(
        spec.columns.map(({ name }) => [name, joined(parts, name, rowCount)] as const),
      )
      const table = tableFromColumns(spec, columns, rowCount)
      parts = []
      rowCount = 0
      return table
    },
  }
}

function joined(
  parts: readonly SeriesPart[],
  name: string,
  rowCount: number,
): ColumnsByName[string] {
  const [first] = parts
  if (first?.texts[name] !== undefined) {
    return parts.flatMap((part) => Array<string>(part.rowCount).fill(part.texts[name]!))
  }
  if (first?.numbers[name] === undefined) return { constant: null }
  const numbers = new Float64Array(rowCount)
  const validity = new Validity(rowCount)
  let at = 0
  for (const part of parts) {
    numbers.set(part.numbers[name]!, at)
    at += part.rowCount
  }
  numbers.forEach((value, row) => {
    if (Number.isNaN(value)) validity.setNull(row)
  })
  return { numbers, validity }
}
