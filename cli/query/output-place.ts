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
  const file = resolve(cwd, target)
  const realFolder = (dir: string): string => fileOf(cwd, dir)
  // The publications are links themselves, and a foreign link may lead to a kept file.
  const places = [join(realFolder(dirname(file)), basename(file)), fileOf(cwd, target)]
  const { stateDir, stageDir, duckdbDir, parquetVersionsDir, duckdbLink, parquetLink } = paths
  const kept = [
    ...[stateDir, stageDir, duckdbDir, parquetVersionsDir].map(realFolder),
    ...[duckdbLink, parquetLink].map((link) => join(realFolder(dirname(link)), basename(link))),
  ]
  const isKept = kept.some((path) =>
    places.some((place) => place === path || place.startsWith(`${path}${sep}`)),
  )
  if (!isKept) return
  throw new QueryError(`-o ${target} would replace a file that coinlake keeps in ${paths.root}`, {
    code: 'OUTPUT_IN_WAREHOUSE',
    hint: 'Name a file outside of state, stage, duckdb and parquet.',
  })
}
