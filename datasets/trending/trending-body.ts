import { SourceDataError } from '../../api/errors.ts'
import { tableFromColumns } from '../arrow/arrow-columns.ts'
import type { ColumnsByName, Scalar } from '../arrow/column-data.ts'
import type { PageContext, PageTables } from '../dataset.ts'
import { keepBeside } from '../record/envelope.ts'
import { readKeyedRows } from '../record/keyed-rows.ts'
import {
  type Listing,
  type ListingItem,
  listingPage,
  listingTable,
  observedIn,
  ordinals,
  readListing,
} from '../record/listing.ts'
import { isObject } from '../record/read-record.ts'
import { addRejected } from '../record/rejected-rows.ts'
import { TRENDING, type TrendingList } from './trending-lists.ts'
import { TRENDING_LIST_FIELDS, TRENDING_LISTS } from './trending-tables.ts'

/** A body of trending lists as tables. @throws SourceDataError: no list of coins, or a list is no array */
export function trendingTables(body: unknown, context: PageContext): PageTables {
  if (!isObject(body)) throw new SourceDataError('$ is no object')
  for (const { key } of TRENDING) {
    const isOptional = key !== 'coins' && body[key] === undefined
    if (!isOptional && !Array.isArray(body[key])) throw new SourceDataError(`$.${key} is no array`)
  }
  const at = observedIn(context)
  const lists = readListing(TRENDING_LIST_FIELDS, [{ at: '', source: withoutItems(body) }], '$', [])
  const page = listingPage(lists, [])
  const counts: Record<string, Scalar[]> = {}
  for (const list of TRENDING) {
    const items = (body[list.key] ?? []) as readonly unknown[]
    counts[list.countColumn] = lists.rows.map(() => items.length)
    const path = `$.${list.key}`
    const listing = readListing(list.fields, itemsOf(list, items), path, [list.idColumn])
    if (list.wrapper !== null) {
      for (const row of listing.rows) {
        const envelope = items[row.index] as Record<string, unknown>
        addCounts(page.unknownPaths, keepBeside(row, envelope, list.wrapper, `${path}[*]`))
      }
    }
    const more = { ...at, ordinal: ordinals(listing.rows, context) }
    page.tables.push(listingTable(list.table, list.fields, listing.rows, more))
    addRejected(page.rejected, listing.rejected)
    page.counts.duplicate += listing.duplicates
    addCounts(page.unknownPaths, listing.unknownPaths)
    if (list.changes !== null) page.tables.push(changesTable(list, listing, at, page))
  }
  const more = { ...counts, ...at }
  page.tables.unshift(listingTable(TRENDING_LISTS, TRENDING_LIST_FIELDS, lists.rows, more))
  page.itemCount = (body['coins'] as unknown[]).length
  return page
}

/** The body with empty lists. Their items have tables of their own. */
function withoutItems(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const present = TRENDING.filter(({ key }) => body[key] !== undefined)
  return { ...body, ...Object.fromEntries(present.map(({ key }) => [key, []])) }
}

function itemsOf({ wrapper }: TrendingList, items: readonly unknown[]): ListingItem[] {
  return items.map((source, index) => {
    if (wrapper === null || !isObject(source)) return { at: `[${index}]`, source }
    return { at: `[${index}].${wrapper}`, source: source[wrapper], whole: source }
  })
}

/** The table of the maps by currency of all items. */
function changesTable(
  { key, wrapper, idColumn, changes }: TrendingList,
  listing: Listing,
  observed: ColumnsByName,
  page: PageTables,
): PageTables['tables'][number] {
  const { table, fieldColumn, section, field } = changes!
  const ids: Scalar[] = []
  const codes: Scalar[] = []
  const values: Scalar[] = []
  for (const row of listing.rows) {
    const map = row.children.get(fieldColumn)
    const at = `$.${key}[${row.index}]${wrapper === null ? '' : `.${wrapper}`}.${section}`
    const parts = new Map(map === undefined ? [] : [[field.path[0], map]])
    for (const member of readKeyedRows([field], parts, at, page)) {
      ids.push(row.values[idColumn]!)
      codes.push(member.key)
      values.push(member.values[field.column.name] ?? null)
    }
  }
  const columns = { [idColumn]: ids, vs_currency: codes, ...observed, [field.column.name]: values }
  return { table: table.name, rows: tableFromColumns(table, columns, ids.length) }
}

function addCounts(counts: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [path, count] of Object.entries(more)) counts[path] = (counts[path] ?? 0) + count
}
