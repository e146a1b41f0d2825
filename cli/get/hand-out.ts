import { chmod, copyFile, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { warehousePaths } from '../../config/warehouse-paths.ts'
import type { Dataset, TableSpec } from '../../datasets/dataset.ts'
import { quoteName, storedColumns } from '../../datasets/ddl.ts'
import { query } from '../commands/query.ts'
import type { Effects } from '../effects.ts'
import { notWritable } from '../query/output.ts'
import { requireOutside } from '../query/output-place.ts'

/** Where the outcome of a `get` goes, and in what form. */
export interface Target {
  /** A path, or `-` for standard output. */
  output: string
  format: string | undefined
}

/** Whether the outcome is a DuckDB file, which holds several datasets. */
export function isDatabase({ output }: Target): boolean {
  return /\.(duckdb|db)$/i.test(output)
}

/**
 * Writes what a warehouse holds of the datasets: a DuckDB file is the published one, whole; every other form has
 * the first table of the one dataset, by series and time.
 */
export async function handOut(
  effects: Effects,
  warehouse: string,
  chosen: readonly Dataset[],
  target: Target,
): Promise<void> {
  if (!isDatabase(target)) {
    const sql = selectOf(chosen[0]!.tables[0]!)
    await query.run(effects, [sql], { ...target, warehouse, tz: 'UTC', allowDir: [] })
    return
  }
  const paths = warehousePaths(warehouse)
  requireOutside(paths, effects.cwd, target.output)
  const file = resolve(effects.cwd, target.output)
  const temp = `${file}.tmp`
  try {
    await copyFile(paths.duckdbLink, temp)
    // Nobody's publication any more.
    await chmod(temp, 0o644)
    await rename(temp, file)
  } catch (error) {
    await rm(temp, { force: true })
    throw notWritable(target.output, error)
  }
}

/** A table as the source would say it: without what the store keeps for itself, and the moment of each answer. */
function selectOf(table: TableSpec): string {
  const own = storedColumns(table)
  const has = (name: string): boolean => own.some((column) => column.name === name)
  const shown = table.columns.map(({ name }) => name).filter((name) => !name.startsWith('_'))
  if (has('is_provisional')) shown.push('is_provisional')
  return `SELECT ${shown.map(quoteName).join(', ')} FROM main.${quoteName(table.name)}
    ${has('is_moving') ? 'WHERE NOT is_moving' : ''} ORDER BY ${table.sort.map(quoteName).join(', ')}`
}
