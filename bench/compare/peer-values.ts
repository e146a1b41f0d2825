import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DuckDBConnection } from '@duckdb/node-api'
import { askDuckdb, inDuckdb } from '../../test/parts/duckdb.ts'
import type { PeerTable } from './peer.ts'
import type { Workload, WorkloadColumn, WorkloadRow } from './workload.ts'

/** A peer's table compared with the service's values. */
export interface ValueCheck {
  rows: number
  /** Requested points that the table lacks. */
  missing: number
  /** Rows that the service never sent. */
  unexpected: number
  /** Further rows with a key that came before. */
  twice: number
  /** Rows with a wrong value, even if only in its last bit. */
  wrong: number
}

/**
 * Compares every row and value of a peer's table with the service's bodies as JSON.parse reads them. Numbers are compared
 * as doubles, bit by bit; a peer's decimals as the doubles of their texts.
 *
 * @param folder for a temporary file
 */
export async function comparePeerValues(
  workload: Pick<Workload, 'columns' | 'keyLength'>,
  expected: Iterable<WorkloadRow>,
  table: PeerTable,
  folder: string,
): Promise<ValueCheck> {
  const parquet = join(folder, 'peer-rows.parquet')
  await exportRows(table, parquet)
  return await inDuckdb(':memory:', async (connection) => {
    await fillExpected(connection, workload.columns, expected)
    if (table.asked !== undefined) {
      await connection.run(`DELETE FROM expected WHERE NOT (${table.asked})`)
    }
    const types = await typesOf(connection, parquet)
    const read = workload.columns.map((column) => readAs(column, types.get(column.name)))
    await connection.run(
      `CREATE TABLE actual AS SELECT ${read.join(', ')} FROM read_parquet('${parquet}')`,
    )
    return await compared(connection, workload)
  }).finally(() => rmSync(parquet, { force: true }))
}

export async function countPeerRows(table: PeerTable, folder: string): Promise<number> {
  const parquet = join(folder, 'peer-rows.parquet')
  const query = `SELECT count(*)::BIGINT AS rows FROM (${table.query})`
  await exportRows({ ...table, query }, parquet)
  const rows = `SELECT rows FROM read_parquet('${parquet}')`
  return await inDuckdb(':memory:', (connection) => numberOf(connection, rows)).finally(() =>
    rmSync(parquet, { force: true }),
  )
}

async function exportRows({ file, query, python }: PeerTable, parquet: string): Promise<void> {
  if (python !== null) {
    const script = fileURLToPath(new URL('../peers/export_rows.py', import.meta.url))
    const done = spawnSync(python, [script, file, query, parquet], { encoding: 'utf8' })
    if (done.status !== 0) throw new Error(`${file} cannot be read: ${done.stderr.trim()}`)
    return
  }
  await askDuckdb(file, `COPY (${query}) TO '${parquet}' (FORMAT parquet)`, 'READ_ONLY')
}

const TYPES: Record<WorkloadColumn['kind'], string> = {
  text: 'VARCHAR',
  double: 'DOUBLE',
  time: 'BIGINT',
}

async function fillExpected(
  connection: DuckDBConnection,
  columns: readonly WorkloadColumn[],
  rows: Iterable<WorkloadRow>,
): Promise<void> {
  const defined = columns.map(({ name, kind }) => `${name} ${TYPES[kind]}`)
  await connection.run(`CREATE TABLE expected (${defined.join(', ')})`)
  const appender = await connection.createAppender('expected')
  for (const row of rows) {
    for (const [place, { kind }] of columns.entries()) {
      const value = row[place] ?? null
      if (value === null) appender.appendNull()
      else if (typeof value === 'string') appender.appendVarchar(value)
      else if (kind === 'time') appender.appendBigInt(BigInt(value))
      else appender.appendDouble(value)
    }
    appender.endRow()
  }
  appender.closeSync()
}

async function typesOf(
  connection: DuckDBConnection,
  parquet: string,
): Promise<Map<string, string>> {
  const described = await connection.runAndReadAll(`DESCRIBE FROM read_parquet('${parquet}')`)
  return new Map(described.getRows().map(([name, type]) => [String(name), String(type)]))
}

/** SQL that reads a peer's column as the compared kind. A missing column reads as null. */
function readAs({ name, kind }: WorkloadColumn, type: string | undefined): string {
  const text = `CAST(${name} AS VARCHAR)`
  const value = (): string => {
    if (type === undefined) return `CAST(NULL AS ${TYPES[kind]})`
    if (kind === 'text') return text
    if (kind === 'double') return type === 'DOUBLE' ? name : `CAST(${text} AS DOUBLE)`
    if (type.startsWith('TIMESTAMP')) return `epoch_ms(${name})`
    if (type === 'VARCHAR') return `epoch_ms(CAST(${name} AS TIMESTAMPTZ))`
    return `CAST(${name} AS BIGINT)`
  }
  return `${value()} AS ${name}`
}

async function compared(
  connection: DuckDBConnection,
  { columns, keyLength }: Pick<Workload, 'columns' | 'keyLength'>,
): Promise<ValueCheck> {
  const keys = columns.slice(0, keyLength).map(({ name }) => name)
  const using = keys.join(', ')
  const values = columns.slice(keyLength)
  const differs = ({ name, kind }: WorkloadColumn): string => {
    const isOther = `e.${name} IS DISTINCT FROM a.${name}`
    // In SQL 0 equals -0, but their bits differ.
    const isOtherSign = `coalesce(signbit(e.${name}) <> signbit(a.${name}), false)`
    return kind === 'double' ? `(${isOther} OR ${isOtherSign})` : `(${isOther})`
  }
  const both = `expected e JOIN actual a USING (${using})`
  const number = (sql: string): Promise<number> => numberOf(connection, sql)
  const rows = await number('SELECT count(*) FROM actual')
  return {
    rows,
    missing: await number(`SELECT count(*) FROM expected ANTI JOIN actual USING (${using})`),
    unexpected: await number(`SELECT count(*) FROM actual ANTI JOIN expected USING (${using})`),
    twice: rows - (await number(`SELECT count(*) FROM (SELECT DISTINCT ${using} FROM actual)`)),
    wrong: await number(`SELECT count(*) FROM ${both} WHERE ${values.map(differs).join(' OR ')}`),
  }
}

async function numberOf(connection: DuckDBConnection, sql: string): Promise<number> {
  const read = await connection.runAndReadAll(sql)
  return Number(read.getRows()[0]?.[0])
}
