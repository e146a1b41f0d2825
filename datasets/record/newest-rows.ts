import { LAST_SEEN_AT, LIST_ORDINAL, OBSERVED_AT, ORDINAL } from '../table/common-columns.ts'
import type { Row, RowSelection, TableSpec } from '../dataset.ts'

/** Selects the newest rows of a table, sorted by its place column if it has one. `more` adds to the selection. */
export function newestRows(
  { name: table, load, columns }: TableSpec,
  nowMs: number,
  { gone = false, ...more }: Partial<RowSelection> & { gone?: boolean } = {},
): RowSelection {
  const place = load === 'catalogue' ? LIST_ORDINAL : ORDINAL
  const seenAt = load === 'catalogue' ? LAST_SEEN_AT : OBSERVED_AT
  return {
    table,
    newest: { column: seenAt.name, nowMs, gone },
    orderBy: columns.some(({ name }) => name === place.name) ? [{ column: place.name }] : [],
    ...more,
  }
}

/** Only the rows of the same observation as `first`: `newestRows` may have selected those of an older one. */
export function ofObservation(rows: readonly Row[], first: Row | undefined): Row[] {
  return rows.filter((row) => row['observed_at'] === first?.['observed_at'])
}
