import type { Column, TableSpec } from '../dataset.ts'
import { ABSENT, EXTRA, OBSERVED_AT, OBSERVED_DATE } from './common-columns.ts'
import { snapshotBy } from './row-keys.ts'

interface SnapshotFacts
  extends
    Pick<TableSpec, 'name' | 'description' | 'key' | 'columns'>,
    Partial<Pick<TableSpec, 'sort' | 'placeColumn'>> {
  /** The columns after all others. Default: `_absent` and `_extra`. */
  technical?: readonly Column[]
}

/** A table of observations: the columns of its key, the date, its other columns in their order, technical ones. */
export function snapshotTable({
  technical = [ABSENT, EXTRA],
  columns,
  key,
  ...facts
}: SnapshotFacts): TableSpec {
  const named = [...columns, OBSERVED_AT]
  return {
    ...snapshotBy(key),
    ...facts,
    columns: [
      ...key.map((name) => named.find((column) => column.name === name)!),
      OBSERVED_DATE,
      ...columns.filter(({ name }) => !key.includes(name)),
      ...technical,
    ],
  }
}
