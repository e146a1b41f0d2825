import { LAST_SEEN_AT, LIST_ORDINAL, OBSERVED_AT, ORDINAL } from '../table/common-columns.ts'
import type { Row, RowSelection, TableSpec } from '../dataset.ts'

/** Selects the newest rows of a table, by their places where it has those. `more` adds to the selection. */
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

/** The rows of the observation of `first`. A table without rows of it selects those of an older one. */
export function ofObservation(rows: readonly Row[], first: Row | undefined): Row[] {
  return rows.filter((row) => row['observed_at'] === first?.['observed_at'])
}
