import { SourceDataError } from '../../api/errors.ts'
import type { Scalar } from '../arrow/column-data.ts'
import type { PageContext, PageTables } from '../dataset.ts'
import {
  addFaults,
  type ListingItem,
  type ListingRow,
  listingPage,
  listingTable,
  readListing,
  readLone,
} from '../record/listing.ts'
import { isObject } from '../record/read-record.ts'
import { SEARCH_FIELDS, SEARCH_LISTS } from './search-fields.ts'
import { SEARCH_BODY_FIELDS, SEARCH_RESULTS, SEARCHES } from './search-tables.ts'

/** The results of a search as tables. @throws SourceDataError: a list is missing or no array */
export function searchTables(body: unknown, context: PageContext): PageTables {
  if (!isObject(body)) throw new SourceDataError('$ is no object')
  for (const { key, isRequired } of SEARCH_LISTS) {
    const isMissing = body[key] === undefined && !isRequired
    if (!isMissing && !Array.isArray(body[key])) throw new SourceDataError(`$.${key} is no array`)
  }
  const found = SEARCH_LISTS.filter(({ key }) => body[key] !== undefined)
  const own = { ...body, ...Object.fromEntries(found.map(({ key }) => [key, []])) }
  const searches = readLone(SEARCH_BODY_FIELDS, own)
  const page = listingPage(searches, [])
  const rows: ListingRow[] = []
  const kinds: string[] = []
  const counts: Record<string, Scalar[]> = {}
  page.itemCount = 0
  for (const { key, kind, countColumn, fields } of SEARCH_LISTS) {
    const items = ((body[key] ?? []) as readonly unknown[]).map(itemOf)
    const listing = readListing(fields, items, `$.${key}`, [])
    for (const row of listing.rows) {
      const { whole } = items[row.index]!
      if (whole !== undefined) row.extra.set('id', (whole as { id: unknown }).id)
      rows.push(row)
      kinds.push(kind)
    }
    counts[countColumn] = [items.length]
    page.itemCount += items.length
    addFaults(page, listing)
  }
  const query = { constant: context.slice.entity }
  page.tables.push(
    listingTable(SEARCHES, SEARCH_BODY_FIELDS, searches.rows, context, { ...counts, query }),
    listingTable(SEARCH_RESULTS, SEARCH_FIELDS, rows, context, { query, kind: kinds }),
  )
  return page
}

/** In older answers categories have numbers as ids. They are read as text, and written back as numbers. */
function itemOf(source: unknown, index: number): ListingItem {
  const at = `[${index}]`
  if (!isObject(source) || typeof source['id'] !== 'number') return { at, source }
  return { at, source: { ...source, id: String(source['id']) }, whole: source }
}
