import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Scheduled } from '../parts/scheduled-warehouse.ts'

const FOLDERS = ['state', 'stage', 'duckdb', 'parquet-versions'] as const
const LEDGER = ['_runs', '_slices', '_loads', '_requests', '_revisions']
const LEDGER_ROWS = `SELECT ${LEDGER.map((table) => `(SELECT count(*) FROM ${table})`).join(' + ')}`
const KIB = 1_024

/**
 * Measures the sizes that may grow with each window of a schedule: files and bytes of a warehouse, rows of its ledger,
 * bytes of Temporal's database, memory of this process.
 */
export async function warehouseSizes(
  { paths, run }: Pick<Scheduled, 'paths' | 'run'>,
  countsSoFar: Record<string, number>,
): Promise<object> {
  const { stdout } = await run('query', LEDGER_ROWS, '--format', 'csv')
  const row: Record<string, number> = {
    ...countsSoFar,
    'ledger rows': Number(stdout.split('\n')[1]),
  }
  for (const name of FOLDERS) {
    const { files, bytes } = filesBelow(join(paths.root, name))
    row[`${name} files`] = files
    row[`${name} KiB`] = Math.round(bytes / KIB)
  }
  row['Temporal KiB'] = Math.round(filesBelow(inject('temporal').stateDir).bytes / KIB)
  row['memory MiB'] = Math.round(process.memoryUsage().rss / KIB / KIB)
  return row
}

function filesBelow(dir: string): { files: number; bytes: number } {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  // A file may go while it is looked at.
  const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  const bytes = files.reduce((sum, { parentPath, name }) => sum + sizeOf(join(parentPath, name)), 0)
  return { files: files.length, bytes }
}
