import type { TableSpec } from '../dataset.ts'

type RowKeys = Pick<TableSpec, 'key' | 'sort' | 'load' | 'monthBy'>

/** Rows of a series, by the time of each. Their order in files is that of the key unless `sort` says another. */
export function factsBy(key: readonly string[], sort = key): RowKeys {
  return { key, sort, load: 'facts', monthBy: 'ts' }
}

/** Rows of one look each. */
export function snapshotBy(key: readonly string[], sort = key): RowKeys {
  return { key, sort, load: 'snapshot', monthBy: 'observed_at' }
}

/** Rows of all that was ever listed. */
export function catalogueBy(key: readonly string[], sort = key): RowKeys {
  return { key, sort, load: 'catalogue', monthBy: null }
}
