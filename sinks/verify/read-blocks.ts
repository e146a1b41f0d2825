import { quoteName } from '../../datasets/table/ddl.ts'
import type { VerifySource } from './verify-source.ts'

/** A few row groups of DuckDB. Such a piece of a wide table takes a few hundredths of a second. */
const PIECE_ROWS = 4 * 122_880
/** Rows that are read in any case. A busy machine then also reads a small file whole. */
const LEAST_ROWS = 2 * PIECE_ROWS

/**
 * Reads blocks of all tables of a DuckDB file for some time. DuckDB compares each block with its checksum. The order is
 * random, so repeated calls read every block sooner or later.
 *
 * @returns the part of the file that was read, 0 to 1
 * @throws the error of `source` when a block is damaged
 */
export async function readBlocks(
  source: Pick<VerifySource, 'rows'>,
  withinMs = Infinity,
): Promise<number> {
  const untilMs = performance.now() + withinMs
  const tables = await source.rows(
    `SELECT schema_name, table_name, estimated_size FROM duckdb_tables()
     WHERE database_name = current_database() AND NOT internal AND estimated_size > 0`,
  )
  const pieces = tables.flatMap((table) => {
    const relation = `${quoteName(String(table['schema_name']))}.${quoteName(String(table['table_name']))}`
    const size = Number(table['estimated_size'])
    const count = Math.ceil(size / PIECE_ROWS)
    return Array.from({ length: count }, (_, place) => {
      const from = place * PIECE_ROWS
      const sql = `SELECT bit_xor(hash(COLUMNS(*))) FROM ${relation}
        WHERE rowid >= ${from} AND rowid < ${from + PIECE_ROWS}`
      return { sql, rows: Math.min(PIECE_ROWS, size - from), at: Math.random() }
    })
  })
  let done = 0
  let read = 0
  for (const { sql, rows } of pieces.toSorted((a, b) => a.at - b.at)) {
    if (performance.now() >= untilMs && read >= LEAST_ROWS) break
    await source.rows(sql)
    done += 1
    read += rows
  }
  return pieces.length === 0 ? 1 : done / pieces.length
}
