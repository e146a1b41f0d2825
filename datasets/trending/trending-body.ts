import { SourceDataError } from '../../api/errors.ts'
import type { Scalar } from '../arrow/column-data.ts'
import type { PageContext, PageTables } from '../dataset.ts'
import { keepBeside } from '../record/envelope.ts'
import { readKeyedRows } from '../record/keyed-rows.ts'
import {
  addFaults,
  type Listing,
  type ListingItem,
  listingPage,
  listingTable,
  pageTable,
  readListing,
  readLone,
} from '../record/listing.ts'
import { isObject } from '../record/read-record.ts'
import {
  TRENDING,
  TRENDING_LIST_FIELDS,
  TRENDING_LISTS,
  type TrendingChanges,
  type TrendingList,
  trendingPath,
} from './trending-lists.ts'

/** A body of trending lists as tables. @throws SourceDataError: no list of coins, or a list is no array */
export function trendingTables(body: unknown, context: PageContext): PageTables {
  if (!isObject(body)) throw new SourceDataError('$ is no object')
  for (const { key } of TRENDING) {
    const isOptional = key !== 'coins' && body[key] === undefined
    if (!isOptional && !Array.isArray(body[key])) throw new SourceDataError(`$.${key} is no array`)
  }
  const lists = readLone(TRENDING_LIST_FIELDS, withoutItems(body))
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
        keepBeside(listing, row, envelope, list.wrapper, `${path}[*]`)
      }
    }
    page.tables.push(listingTable(list.table, list.fields, listing.rows, context))
    addFaults(page, listing)
    if (list.changes !== null) {
      page.tables.push(changesTable(list, list.changes, listing, context, page))
    }
  }
  page.tables.unshift(
    listingTable(TRENDING_LISTS, TRENDING_LIST_FIELDS, lists.rows, context, counts),
  )
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
  list: TrendingList,
  { table, fieldColumn, field }: TrendingChanges,
  listing: Listing,
  context: PageContext,
  page: PageTables,
): PageTables['tables'][number] {
  const ids: Scalar[] = []
  const codes: Scalar[] = []
  const values: Scalar[] = []
  for (const row of listing.rows) {
    const map = row.children.get(fieldColumn)
    const at = `${trendingPath(list, row.index)}.data`
    const parts = new Map(map === undefined ? [] : [[field.path[0], map]])
    for (const member of readKeyedRows([field], parts, at, page)) {
      ids.push(row.values[list.idColumn]!)
      codes.push(member.key)
      values.push(member.values[field.column.name] ?? null)
    }
  }
  const columns = { [list.idColumn]: ids, vs_currency: codes, [field.column.name]: values }
  return pageTable(table, columns, ids.length, context)
}
