import { tableFromColumns } from '../arrow/arrow-columns.ts'
import type { ColumnsByName, Scalar } from '../arrow/column-data.ts'
import type { PageContext, PageTables, RejectedRow, TableSpec } from '../dataset.ts'
import { absentText, extraText, type ReadRecord, readRecord } from './read-record.ts'
import { columnsOf, type RecordField } from './record-field.ts'
import { addRejected, countPath, reject } from './rejected-rows.ts'

/** An object of a listing. `at`: the end of its JSON path, as `[3]`, `.btc`, `[3].item`; '' for a lone object. */
export interface ListingItem {
  at: string
  source: unknown
  /** The value for the quarantine when the object is bad. Default: `source`. */
  whole?: unknown
}

/** A good item as a record, with its place on the page from 0. */
export interface ListingRow extends ReadRecord {
  index: number
}

/** The objects of a page as rows. A bad object is rejected alone. */
export interface Listing {
  rows: ListingRow[]
  /** Items that a later item of the page with the same key replaces. */
  duplicates: number
  rejected: RejectedRow[]
  unknownPaths: Record<string, number>
  itemCount: number
}

/** The items of a JSON array, one by one. A page may be refused before its last item. */
export function* itemsOf(list: readonly unknown[]): Generator<ListingItem> {
  for (const [index, source] of list.entries()) yield { at: `[${index}]`, source }
}

/**
 * Reads the objects of a page.
 *
 * @param path JSON path of the list: `$`, `$.tickers`
 * @param keyColumns the columns that identify a row; []: its place in the listing does
 */
export function readListing(
  fields: readonly RecordField[],
  items: Iterable<ListingItem>,
  path: string,
  keyColumns: readonly string[],
): Listing {
  const listing: Listing = {
    rows: [],
    duplicates: 0,
    rejected: [],
    unknownPaths: {},
    itemCount: 0,
  }
  const byKey = new Map<string, ListingRow>()
  for (const { at, source, whole } of items) {
    const index = listing.itemCount++
    const record = readRecord(fields, source, `${path}${at}`)
    if ('rule' in record) {
      reject(listing.rejected, record.rule, record.path, whole ?? record.value)
      continue
    }
    for (const key of record.unknown)
      countPath(listing.unknownPaths, `${path}${patternOf(at)}.${key}`)
    const values = keyColumns.map((column) => record.values[column])
    byKey.set(keyColumns.length === 0 ? at : JSON.stringify(values), { ...record, index })
  }
  listing.rows = [...byKey.values()].toSorted((a, b) => a.index - b.index)
  listing.duplicates = listing.itemCount - listing.rejected.length - listing.rows.length
  return listing
}

/** Reads the one object of a body, by default the body itself. A bad object is rejected with its envelope `whole`. */
export function readLone(
  fields: readonly RecordField[],
  source: unknown,
  path = '$',
  whole = source,
): Listing {
  return readListing(fields, [{ at: '', source, whole }], path, [])
}

export function listingColumns(
  fields: readonly RecordField[],
  rows: readonly ListingRow[],
): Record<string, Scalar[]> {
  const columns: Record<string, Scalar[]> = {}
  for (const { name } of columnsOf(fields)) {
    columns[name] = rows.map((row) => row.values[name] ?? null)
  }
  columns['_absent'] = rows.map(absentText)
  columns['_extra'] = rows.map(extraText)
  return columns
}

/** The rows of a page, with their places over all pages. `more` has the columns without a field. */
export function listingTable(
  spec: TableSpec,
  fields: readonly RecordField[],
  rows: readonly ListingRow[],
  context: PageContext,
  more: ColumnsByName = {},
): PageTables['tables'][number] {
  const ordinal = rows.map((row) => context.itemsBefore + row.index)
  const columns = { ...listingColumns(fields, rows), ordinal, list_ordinal: ordinal, ...more }
  return pageTable(spec, columns, rows.length, context)
}

const PAGE_TIME_COLUMNS = ['observed_at', 'observed_date', 'first_seen_at', 'last_seen_at']

/** A table of a page, with the columns of its time. A table takes the columns that it has. */
export function pageTable(
  spec: TableSpec,
  columns: ColumnsByName,
  rowCount: number,
  { observedAtMs }: PageContext,
): PageTables['tables'][number] {
  const times = Object.fromEntries(
    PAGE_TIME_COLUMNS.map((name) => [name, { constant: observedAtMs }]),
  )
  return { table: spec.name, rows: tableFromColumns(spec, { ...times, ...columns }, rowCount) }
}

/** A table of a page from its rows. They have all columns but those of the page's time. */
export function rowsTable(
  spec: TableSpec,
  rows: readonly Readonly<Record<string, Scalar>>[],
  context: PageContext,
): PageTables['tables'][number] {
  const own = spec.columns.filter(({ name }) => !PAGE_TIME_COLUMNS.includes(name))
  const columns = own.map(({ name }) => [name, rows.map((row) => row[name]!)] as const)
  return pageTable(spec, Object.fromEntries(columns), rows.length, context)
}

export function listingPage(
  listing: Omit<Listing, 'rows'>,
  tables: PageTables['tables'],
): PageTables {
  const { rejected, unknownPaths, itemCount, duplicates } = listing
  return {
    tables,
    counts: { outsideSlice: 0, duplicate: duplicates, future: 0 },
    rejected,
    unknownPaths,
    itemCount,
    deliveredGranularity: null,
  }
}

/** Adds to a page what another listing of its body met: rejected rows, duplicates, unknown paths. */
export function addFaults(page: PageTables, listing: Listing): void {
  addRejected(page.rejected, listing.rejected)
  page.counts.duplicate += listing.duplicates
  for (const [path, times] of Object.entries(listing.unknownPaths)) {
    countPath(page.unknownPaths, path, times)
  }
}

function patternOf(at: string): string {
  return at.startsWith('.') ? '.*' : at.replace(/^\[\d+\]/, '[*]')
}
