import type { Table as ArrowTable } from 'apache-arrow'

/** Rows of one table with the dataset's own columns. The writer adds those of lineage. */
export interface MarketBatch {
  table: string
  rows: ArrowTable
}

/** Rows are written from this many on: writing few rows costs as much as writing many. */
const ROWS_PER_WRITE = 10_000
/** Most waiting Arrow tables: even one of a single row takes tens of kB. */
const TABLES_PER_WRITE = 500

export type WriteRows = (table: string, rows: ArrowTable) => Promise<void>

/** Writes batches, several in one write. @returns the number of rows by table */
export async function writeBatches(
  batches: Iterable<MarketBatch>,
  write: WriteRows,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const waiting = new Map<string, { tables: ArrowTable[]; rowCount: number }>()
  const flush = async (table: string): Promise<void> => {
    const [first, ...rest] = waiting.get(table)?.tables ?? []
    waiting.delete(table)
    if (first === undefined) return
    const rows = first.concat(...rest)
    await write(table, rows)
    counts[table] = (counts[table] ?? 0) + rows.numRows
  }
  for (const { table, rows } of batches) {
    if (rows.numRows === 0) continue
    const batch = waiting.get(table) ?? { tables: [], rowCount: 0 }
    waiting.set(table, batch)
    batch.tables.push(rows)
    batch.rowCount += rows.numRows
    if (batch.rowCount >= ROWS_PER_WRITE || batch.tables.length >= TABLES_PER_WRITE) {
      await flush(table)
    }
  }
  for (const table of waiting.keys()) await flush(table)
  return counts
}
