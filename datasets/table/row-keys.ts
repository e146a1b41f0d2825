import type { TableSpec } from '../dataset.ts'

type RowKeys = Pick<TableSpec, 'key' | 'sort' | 'load' | 'monthBy'>

/** Keys of a series. `sort`: the order of rows in files. */
export function factsBy(key: readonly string[], sort = key): RowKeys {
  return { key, sort, load: 'facts', monthBy: 'ts' }
}

export function snapshotBy(key: readonly string[], sort = key): RowKeys {
  return { key, sort, load: 'snapshot', monthBy: 'observed_at' }
}

export function catalogueBy(key: readonly string[], sort = key): RowKeys {
  return { key, sort, load: 'catalogue', monthBy: null }
}
