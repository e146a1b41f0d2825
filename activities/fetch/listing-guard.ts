import type { Table as ArrowTable } from 'apache-arrow'
import { SourceDataError } from '../../api/errors.ts'
import { datasetByName } from '../../datasets/index.ts'
import type { PageTables } from '../../datasets/dataset.ts'
import type { PageKey, PageStage, StagedPage } from '../../stage/page-stage.ts'

/** No listing has this many pages; the longest known has 72. A service may invent new rows for every page. */
const MOST_PAGES = 1_000

/** Key columns that differ between two readings of a row. */
const CHANGING_KEY_COLUMNS: ReadonlySet<string> = new Set(['observed_at', 'ordinal'])

/**
 * Whether a page has the same rows as the page before it.
 *
 * @param before the staged page before; null for a first page
 * @throws SourceDataError LISTING_ENDLESS beyond MOST_PAGES.
 */
export async function repeatsPageBefore(
  stage: PageStage,
  key: PageKey,
  before: StagedPage | null,
  dataset: string,
  { tables }: PageTables,
  url: string,
): Promise<boolean> {
  if (key.page === 1) return false
  if (key.page > MOST_PAGES) throw endlessError(url)
  for (const { table, rows } of tables) {
    const staged = before?.tables.find((one) => one.table === table)
    if (before === null || staged === undefined) return false
    if (rows.numRows === 0 || staged.rowCount !== rows.numRows) return false
    const names = keyColumns(dataset, table)
    const rowsBefore = await stage.readTable(before, table)
    if (!names.every((name) => areEqual(rowsBefore, rows, name))) return false
  }
  return tables.length > 0
}

/** Turns a repeated page into an empty last page. Its rows count as duplicates. */
export function emptyLastPage({ tables, counts, rejected }: PageTables): PageTables {
  const repeated = tables.reduce((sum, { rows }) => sum + rows.numRows, rejected.length)
  return {
    tables: tables.map(({ table, rows }) => ({ table, rows: rows.slice(0, 0) })),
    counts: { ...counts, duplicate: counts.duplicate + repeated },
    rejected: [],
    unknownPaths: {},
    itemCount: 0,
    deliveredGranularity: null,
  }
}

/** The error for a listing whose service ignores `page`. */
export function listingRepeatsError(url: string): SourceDataError {
  const what = 'page 2 of the listing has the rows of page 1, so the service ignores pages'
  return new SourceDataError(what, { code: 'LISTING_REPEATS', hint: HINT, url })
}

function keyColumns(dataset: string, table: string): string[] {
  const spec = datasetByName(dataset)?.tables.find(({ name }) => name === table)
  return (spec?.key ?? []).filter((name) => !CHANGING_KEY_COLUMNS.has(name))
}

function areEqual(a: ArrowTable, b: ArrowTable, name: string): boolean {
  const [left, right] = [a.getChild(name), b.getChild(name)]
  if (left === null || right === null) return false
  for (let row = 0; row < b.numRows; row++) {
    if (left.get(row) !== right.get(row)) return false
  }
  return true
}

const HINT = 'The service does not page this listing as its interface says; report it to its owner.'

function endlessError(url: string): SourceDataError {
  const what = `the listing has more than ${MOST_PAGES} pages`
  return new SourceDataError(what, { code: 'LISTING_ENDLESS', hint: HINT, url })
}
