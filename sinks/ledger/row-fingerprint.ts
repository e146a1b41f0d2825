import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteName, quoteText } from '../../datasets/table/ddl.ts'

/**
 * SQL for one number of a row's own columns (lineage left out), to be joined by `bit_xor`. Columns
 * count by name and nulls not at all, so a column that is added later changes no fingerprint; the outer
 * hash keeps two rows that swap a value from looking the same.
 *
 * @param alias of the relation that holds the row
 */
export function rowFingerprint(table: TableSpec, alias: string): string {
  const parts = table.columns.map(({ name }) => {
    const column = `${alias}.${quoteName(name)}`
    return `CASE WHEN ${column} IS NULL THEN 0::UBIGINT ELSE hash(${quoteText(name)}, ${column}) END`
  })
  return `hash(${parts.reduce((all, part) => `xor(${all}, ${part})`)})`
}
