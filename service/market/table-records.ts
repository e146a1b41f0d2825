import type { Table as ArrowTable } from 'apache-arrow'
import type { Scalar } from '../../datasets/arrow/column-data.ts'
import type { TableSpec } from '../../datasets/dataset.ts'

/** The rows of a table one by one. Times are epoch ms, integers are numbers. */
export function* tableRecords(
  spec: TableSpec,
  rows: ArrowTable,
): Generator<Record<string, Scalar>> {
  const vectors = spec.columns.map(({ name }) => [name, rows.getChild(name)!] as const)
  for (let row = 0; row < rows.numRows; row++) {
    const values = vectors.map(([name, vector]) => {
      const value: unknown = vector.get(row)
      return [name, typeof value === 'bigint' ? Number(value) : (value as Scalar)]
    })
    yield Object.fromEntries(values) as Record<string, Scalar>
  }
}
