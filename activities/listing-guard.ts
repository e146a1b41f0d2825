import type { Table as ArrowTable } from 'apache-arrow'
import { SourceDataError } from '../api/errors.ts'
import { datasetByName } from '../datasets/index.ts'
import type { PageTables } from '../datasets/dataset.ts'
import type { PageKey, PageStage } from '../stage/page-stage.ts'

/**
 * No listing has this many pages (the longest known: 72 of 250 coins). A service that goes on for
 * ever, with other rows on every page, must end somewhere.
 */
const MOST_PAGES = 1_000

/** Key columns that differ between two readings of one and the same row. */
const NO_IDENTITY: ReadonlySet<string> = new Set(['observed_at', 'ordinal'])

/**
 * Refuses a page that would make a listing endless: the same rows as on the page before (the service
 * does not heed `page`), or a page number no listing reaches.
 *
 * @throws SourceDataError LISTING_REPEATS, LISTING_ENDLESS
 */
export async function refuseEndlessListing(
  stage: PageStage,
  key: PageKey,
  dataset: string,
  { tables }: PageTables,
  url: string,
): Promise<void> {
  if (key.page === 1) return
  if (key.page > MOST_PAGES) throw endless(url)
  const before = await stage.find({ ...key, page: key.page - 1 })
  for (const { table, rows } of tables) {
    const staged = before?.tables.find((one) => one.table === table)
    if (before === null || staged === undefined) return
    if (rows.numRows === 0 || staged.rowCount !== rows.numRows) return
    const names = keyColumns(dataset, table)
    const rowsBefore = await stage.readTable(before, table)
    if (!names.every((name) => areEqual(rowsBefore, rows, name))) return
  }
  if (tables.length > 0) throw repeats(key.page, url)
}

/** @throws SourceDataError LISTING_REPEATS when a page has exactly the ids of the page before. */
export function refuseRepeatedIds(
  ids: readonly string[],
  before: readonly string[],
  page: number,
  url: string,
): void {
  if (ids.length > 0 && ids.length === before.length && ids.every((id, i) => id === before[i])) {
    throw repeats(page, url)
  }
}

function keyColumns(dataset: string, table: string): string[] {
  const spec = datasetByName(dataset)?.tables.find(({ name }) => name === table)
  return (spec?.key ?? []).filter((name) => !NO_IDENTITY.has(name))
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

function repeats(page: number, url: string): SourceDataError {
  const what = `page ${page} of the listing has the rows of page ${page - 1}`
  return new SourceDataError(what, { code: 'LISTING_REPEATS', hint: HINT, url })
}

function endless(url: string): SourceDataError {
  const what = `the listing has more than ${MOST_PAGES} pages`
  return new SourceDataError(what, { code: 'LISTING_ENDLESS', hint: HINT, url })
}
