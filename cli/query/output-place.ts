import { basename, dirname, join, resolve, sep } from 'node:path'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { fileOf } from './output.ts'
import { QueryError } from './query-error.ts'

/**
 * Refuses to write the result of a query over a file that coinlake keeps (store, stage, publications).
 *
 * @param target a path, or `-` for standard output
 * @throws QueryError OUTPUT_IN_WAREHOUSE
 */
export function requireOutside(paths: WarehousePaths, cwd: string, target: string): void {
  if (target === '-') return
  const { stateDir, stageDir, duckdbDir, parquetVersionsDir, duckdbLink, parquetLink } = paths
  const kept = [stateDir, stageDir, duckdbDir, parquetVersionsDir, duckdbLink, parquetLink]
  const folder = fileOf(cwd, dirname(resolve(cwd, target)))
  const places = [fileOf(cwd, target), join(folder, basename(target))]
  const isKept = kept
    .map((path) => fileOf(cwd, path))
    .some((path) => places.some((place) => place === path || place.startsWith(`${path}${sep}`)))
  if (!isKept) return
  throw new QueryError(`-o ${target} would replace a file that coinlake keeps in ${paths.root}`, {
    code: 'OUTPUT_IN_WAREHOUSE',
    hint: 'Name a file outside of state, stage, duckdb and parquet.',
  })
}
