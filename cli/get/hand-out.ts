import { existsSync } from 'node:fs'
import { chmod, copyFile, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import { warehousePaths } from '../../config/warehouse-paths.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import type { Dataset, TableSpec } from '../../datasets/dataset.ts'
import { quoteName, storedColumns } from '../../datasets/table/ddl.ts'
import { datasets } from '../../datasets/index.ts'
import { query } from '../commands/query.ts'
import { findDataset } from '../describe/find-dataset.ts'
import type { Effects } from '../effects.ts'
import { openPublished } from '../query/open-published.ts'
import { notWritable, temporaryPath } from '../query/output.ts'
import { requireOutside } from '../query/output-place.ts'
import { counted } from '../render/quantities.ts'

/** Where the outcome of a `get` goes, and in what form. */
export interface Target {
  /** A path, or `-` for standard output. */
  output: string
  format: string | undefined
}

/** A dataset, and the table of it that was named; its first where the dataset was. */
export interface Wish {
  dataset: Dataset
  table: TableSpec
}

/** The dataset or table that a word of the command line names. @throws ConfigError UNKNOWN_DATASET */
export function wishOf(name: string): Wish {
  const dataset = findDataset(name, datasets)
  return { dataset, table: dataset.tables.find((one) => one.name === name) ?? dataset.tables[0]! }
}

/** Whether the outcome is a DuckDB file, which holds several datasets. */
export function isDatabase({ output }: Target): boolean {
  return /\.(duckdb|db)$/i.test(output)
}

/** A log beside a DuckDB file would be read into the one that takes its place. @throws ConfigError GET_WAL */
export function requireNoLog({ cwd }: Effects, target: Target): void {
  if (!isDatabase(target) || !existsSync(resolve(cwd, `${target.output}.wal`))) return
  throw new ConfigError(`${target.output} has changes in ${target.output}.wal`, {
    code: 'GET_WAL',
    hint: 'Open it once for writing, which takes them in, or name another file with -o.',
  })
}

/**
 * Writes what a warehouse holds of the datasets: a DuckDB file is the published one, whole; every other form has
 * one table, by series and time.
 *
 * @returns what the file holds, where that is one table
 * @throws SinkError OUTPUT_NOT_WRITABLE
 */
export async function handOut(
  effects: Effects,
  warehouse: string,
  chosen: readonly Wish[],
  target: Target,
): Promise<string> {
  const paths = warehousePaths(warehouse)
  if (!isDatabase(target)) {
    const { table } = chosen[0]!
    await query.run(effects, [selectOf(table)], { ...target, warehouse, tz: 'UTC', allowDir: [] })
    return await rowsText(paths, table)
  }
  requireOutside(paths, effects.cwd, target.output)
  const file = resolve(effects.cwd, target.output)
  const temp = temporaryPath(file)
  try {
    await copyFile(paths.duckdbLink, temp)
    // The file is no publication any more.
    await chmod(temp, 0o644)
    await rename(temp, file)
  } catch (error) {
    await rm(temp, { force: true })
    throw notWritable(target.output, error)
  }
  return ''
}

/** The rows that were handed out, and the points that were not: the run's report counts both. */
async function rowsText(paths: WarehousePaths, table: TableSpec): Promise<string> {
  const moving = has(table, 'is_moving') ? 'count(*) FILTER (WHERE is_moving)' : '0'
  const publication = await openPublished(paths, 'UTC')
  try {
    const { connection } = publication
    const sql = `SELECT count(*), ${moving} FROM main.${quoteName(table.name)}`
    const [all, left] = (await connection.runAndReadAll(sql)).getRowsJson()[0]!.map(Number)
    const without = left === 0 ? '' : ` (${counted(left!, 'point')} left out: still moving)`
    return `: ${counted(all! - left!, 'row')}${without}`
  } finally {
    publication.close()
  }
}

function has(table: TableSpec, column: string): boolean {
  return storedColumns(table).some(({ name }) => name === column)
}

/** A table as the source would say it: without what the store keeps for itself, and the moment of each answer. */
function selectOf(table: TableSpec): string {
  const shown = table.columns.map(({ name }) => name).filter((name) => !name.startsWith('_'))
  if (has(table, 'is_provisional')) shown.push('is_provisional')
  return `SELECT ${shown.map(quoteName).join(', ')} FROM main.${quoteName(table.name)}
    ${has(table, 'is_moving') ? 'WHERE NOT is_moving' : ''} ORDER BY ${table.sort.map(quoteName).join(', ')}`
}
