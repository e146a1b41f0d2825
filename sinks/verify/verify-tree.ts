import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Row, TableSpec } from '../../datasets/dataset.ts'
import { quoteText } from '../../datasets/table/ddl.ts'
import {
  MANIFEST,
  type Manifest,
  type ManifestFile,
  readManifest,
} from '../publish-parquet/manifest.ts'
import { readFilesSql } from '../publish-parquet/views-sql.ts'
import { fileSha256 } from '../publish/durable-files.ts'
import { checkContents } from './check-contents.ts'
import { newestTablesOf } from '../newest/newest-tables.ts'
import { checkNewest } from './check-newest.ts'
import { checkOrder, lacksColumns } from './check-rows.ts'
import {
  difference,
  type Difference,
  type VerifyContext,
  type VerifySource,
} from './verify-source.ts'

/** A Parquet tree, to compare with its manifest and a ledger. */
export interface TreeToVerify {
  dir: string
  tables: readonly TableSpec[]
  /** Reads Parquet files and the ledger beside them. */
  source: Omit<VerifySource, 'relation'>
}

/**
 * Compares a Parquet tree with its manifest: files, sizes, hashes, rows, order. Compares each table with the ledger,
 * unless the ledger has a later load of it, or an older coinlake wrote it. `behind` names these tables. null: nothing is
 * published.
 */
export async function verifyTree(
  tree: TreeToVerify,
): Promise<{ differences: Difference[]; behind: string[] } | null> {
  const { dir, tables, source } = tree
  const manifest = await readManifest(join(dir, MANIFEST))
  if (manifest === null) return null
  const manifestPaths = new Set(
    [...manifest.files, ...(manifest.retired ?? [])].map(({ path }) => path),
  )
  const filesOf = Map.groupBy(manifest.files, ({ table }) => table)
  const relation = readFilesSql(dir, manifest.files)
  const context: VerifyContext = { place: 'parquet', datasets: [], source: { ...source, relation } }
  const current = await source.rows(
    `SELECT table_name, month, load_id FROM ${source.ledger('_partitions')}`,
  )
  const differences: Difference[] = []
  const behind: string[] = []
  /** Checks the files of a table, and others beside them. @returns whether one of its files is damaged */
  const checkFiles = async (table: TableSpec): Promise<boolean> => {
    const files = filesOf.get(table.name) ?? []
    const damaged: Difference[] = []
    for (const file of files) damaged.push(...(await checkFile(context, table, dir, file)))
    differences.push(...damaged, ...(await unlistedFiles(context, table, dir, manifestPaths)))
    return damaged.length > 0
  }
  const isOlder = async (table: TableSpec): Promise<boolean> =>
    await lacksColumns(source, table, relation(table))
  const damagedOrOlder = new Set<string>()
  for (const table of tables) {
    // Damaged tables are already reported, and cannot be read.
    const isDamaged = await checkFiles(table)
    const isOld = !isDamaged && (await isOlder(table))
    const from = relation(table)
    if (isDamaged || isOld) damagedOrOlder.add(table.name)
    if (isOld || isBehind(table, manifest, current)) behind.push(table.name)
    else if (!isDamaged && from !== null)
      differences.push(...(await checkContents(context, table, from)))
  }
  for (const newest of newestTablesOf(tables)) {
    const isDamaged = await checkFiles(newest.table)
    if (isDamaged || damagedOrOlder.has(newest.source.name)) continue
    if (await isOlder(newest.table)) continue
    differences.push(...(await checkNewest(context, newest)))
  }
  return { differences, behind }
}

/** Files that readers of the folder would take for coinlake's. Their rows would count twice. */
async function unlistedFiles(
  context: VerifyContext,
  table: TableSpec,
  dir: string,
  manifestPaths: ReadonlySet<string>,
): Promise<Difference[]> {
  const names = await readdir(join(dir, table.name)).catch(() => [])
  return names
    .filter((name) => name.endsWith('.parquet'))
    .map((name) => `${table.name}/${name}`)
    .filter((path) => !manifestPaths.has(path))
    .map((what) => {
      const facts = { check: 'file' as const, table: table.name, what }
      return difference(context, { ...facts, expected: 'no such file', found: 'a file' })
    })
}

async function checkFile(
  context: VerifyContext,
  table: TableSpec,
  dir: string,
  file: ManifestFile,
): Promise<Difference[]> {
  const path = join(dir, file.path)
  const fileDifference = (expected: string, found: string): Difference[] => [
    difference(context, { check: 'file', table: table.name, what: file.path, expected, found }),
  ]
  const facts = await stat(path).catch(() => null)
  if (facts === null) return fileDifference(`${file.size_bytes} bytes`, 'no such file')
  if (facts.size !== file.size_bytes) {
    return fileDifference(`${file.size_bytes} bytes`, `${facts.size} bytes`)
  }
  const hash = await fileSha256(path)
  if (hash !== file.sha256) return fileDifference(`SHA-256 ${file.sha256}`, hash)
  const relation = `read_parquet(${quoteText(path)})`
  const [row] = await context.source.rows(`SELECT count(*) AS row_count FROM ${relation}`)
  if (Number(row?.['row_count']) !== file.rows) {
    return fileDifference(`${file.rows} rows`, `${row?.['row_count']} rows`)
  }
  if (await lacksColumns(context.source, table, relation)) return []
  return await checkOrder(context, table, relation, file.path)
}

function isBehind(table: TableSpec, manifest: Manifest, current: readonly Row[]): boolean {
  const published = new Map(
    [...manifest.files, ...manifest.vanished]
      .filter((file) => file.table === table.name)
      .map((file) => [file.month, file.load_id]),
  )
  return current.some(
    (row) =>
      row['table_name'] === table.name &&
      published.get(String(row['month'])) !== Number(row['load_id']),
  )
}
