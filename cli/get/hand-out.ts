import { existsSync } from 'node:fs'
import { chmod, copyFile, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import { warehousePaths, type WarehousePaths } from '../../config/warehouse-paths.ts'
import type { Dataset, TableSpec } from '../../datasets/dataset.ts'
import { quoteName, storedColumns } from '../../datasets/table/ddl.ts'
import { findDataset } from '../describe/find-dataset.ts'
import type { Effects } from '../effects.ts'
import { openPublished } from '../query/open-published.ts'
import { fileOf, notWritableError, temporaryPath } from '../query/output.ts'
import { runQuery } from '../query/run-query.ts'
import { counted } from '../render/quantities.ts'
import { withOpen } from '../run/closing-after.ts'

export interface Target {
  /** A path, or `-` for standard output. */
  output: string
  format: string | undefined
}

/** A dataset, and the named table of it; its first table when the dataset was named. */
interface ChosenTable {
  dataset: Dataset
  table: TableSpec
}

/** @throws ConfigError UNKNOWN_DATASET */
export function chosenTable(name: string): ChosenTable {
  const dataset = findDataset(name)
  return { dataset, table: dataset.tables.find((one) => one.name === name) ?? dataset.tables[0]! }
}

/** Whether the output is a DuckDB file, which may have several datasets. A named format comes before the ending. */
export function isDatabase({ output, format }: Target): boolean {
  return format === undefined && /\.(duckdb|db)$/i.test(output)
}

/** Refuses a DuckDB file with a log beside it, because the new file would read that log. @throws ConfigError GET_WAL */
export function requireNoWal({ cwd }: Effects, target: Target): void {
  if (!isDatabase(target) || !existsSync(resolve(cwd, `${target.output}.wal`))) return
  throw new ConfigError(`${target.output} has changes in ${target.output}.wal`, {
    code: 'GET_WAL',
    hint: 'Open it once for writing, which takes them in, or name another file with -o.',
  })
}

/**
 * Writes the datasets of a warehouse into the output. A DuckDB file is a copy of the published one; every other
 * format has one table, sorted by series and time.
 *
 * @returns a text with the number of rows, to follow the file's name; '' for a DuckDB file
 * @throws SinkError OUTPUT_NOT_WRITABLE
 */
export async function handOut(
  effects: Effects,
  warehouse: string,
  chosen: readonly ChosenTable[],
  target: Target,
): Promise<string> {
  const paths = warehousePaths(warehouse)
  if (!isDatabase(target)) {
    const { table } = chosen[0]!
    await runQuery(effects, selectOf(table), { ...target, warehouse, tz: 'UTC', allowDir: [] })
    return await rowsText(paths, table)
  }
  const file = fileOf(effects.cwd, target.output)
  const temp = temporaryPath(file)
  try {
    await copyFile(paths.duckdbLink, temp)
    // The publication is read-only, but its copy is not.
    await chmod(temp, 0o644)
    await rename(temp, file)
  } catch (error) {
    await rm(temp, { force: true })
    throw notWritableError(target.output, error)
  }
  return ''
}

/** The number of written rows, and of moving points that were left out. The rows of the run's report include both. */
async function rowsText(paths: WarehousePaths, table: TableSpec): Promise<string> {
  const movingSql = has(table, 'is_moving') ? 'count(*) FILTER (WHERE is_moving)' : '0'
  return await withOpen(openPublished(paths, 'UTC'), async ({ connection }) => {
    const sql = `SELECT count(*), ${movingSql} FROM main.${quoteName(table.name)}`
    const [all, moving] = (await connection.runAndReadAll(sql)).getRowsJson()[0]!.map(Number)
    const without = moving === 0 ? '' : ` (${counted(moving!, 'point')} left out: still moving)`
    return `: ${counted(all! - moving!, 'row')}${without}`
  })
}

function has(table: TableSpec, column: string): boolean {
  return storedColumns(table).some(({ name }) => name === column)
}

/** Without technical columns and moving points. */
function selectOf(table: TableSpec): string {
  const shown = table.columns.map(({ name }) => name).filter((name) => !name.startsWith('_'))
  if (has(table, 'is_provisional')) shown.push('is_provisional')
  return `SELECT ${shown.map(quoteName).join(', ')} FROM main.${quoteName(table.name)}
    ${has(table, 'is_moving') ? 'WHERE NOT is_moving' : ''} ORDER BY ${table.sort.map(quoteName).join(', ')}`
}
