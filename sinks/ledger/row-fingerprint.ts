import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteName, quoteText } from '../../datasets/table/ddl.ts'

/**
 * SQL for one number of the own columns of a row `t`, for `bit_xor`. Each value counts with its column name. Nulls do not count,
 * so a new column changes no fingerprint. Without the outer hash, two rows that swap a value would look the same.
 */
export function rowFingerprint(table: TableSpec): string {
  const parts = table.columns.map(({ name }) => {
    const column = `t.${quoteName(name)}`
    return `CASE WHEN ${column} IS NULL THEN 0::UBIGINT ELSE hash(${quoteText(name)}, ${column}) END`
  })
  return `hash(${parts.reduce((all, part) => `xor(${all}, ${part})`)})`
}
