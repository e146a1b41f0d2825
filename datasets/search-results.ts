import { isRecord } from '../config/values/is-record.ts'
import type { Scalar } from './arrow/column-data.ts'
import type { Answer, PageContext, PageTables } from './dataset.ts'
import { splitLists, wasNull } from './record/envelope.ts'
import {
  addFaults,
  type ListingItem,
  type ListingRow,
  listingPage,
  listingTable,
  readListing,
  readLone,
} from './record/listing.ts'
import { catalogueBody, catalogueSelections } from './search/search-catalogues.ts'
import { SEARCH_FIELDS, SEARCH_LISTS } from './search/search-fields.ts'
import { SEARCH_BODY_FIELDS, SEARCH_RESULTS, SEARCHES } from './search/search-tables.ts'
import { newestRows, ofObservation } from './record/newest-rows.ts'
import { addRejected } from './record/rejected-rows.ts'
import { snapshotDataset } from './request/snapshot-dataset.ts'
import { writeRecord } from './record/write-record.ts'

/** Answers with the recorded search, if need be in another case. Without one, it searches the names of all listings. */
const answer: Answer = {
  hasStandIns: true,
  select: ({ query: text = '' }, nowMs) => {
    const contains = { columns: ['query'], text, isWhole: true } as const
    const newest = { column: 'observed_at', nowMs, per: ['query'] }
    return [
      newestRows(SEARCHES, nowMs, { contains, newest }),
      newestRows(SEARCH_RESULTS, nowMs, { contains, newest }),
      ...catalogueSelections(text, nowMs),
    ]
  },
  toBody: ([searches = [], results = [], ...catalogues], { query }) => {
    const search = searches.find((row) => row['query'] === query) ?? searches[0]
    if (search === undefined) return catalogueBody(catalogues)
    const body = writeRecord(SEARCH_BODY_FIELDS, search)
    const found = ofObservation(results, search).filter((row) => row['query'] === search['query'])
    for (const { key, kind, fields } of SEARCH_LISTS) {
      if (!Object.hasOwn(body, key) || wasNull(search, key)) continue
      const ofKind = found.filter((row) => row['kind'] === kind)
      body[key] = ofKind.map((row) => writeRecord(fields, row))
    }
    return body
  },
}

export const searchResults = snapshotDataset({
  name: 'search_results',
  description: 'The results of searches for chosen texts, once per `every`.',
  operation: 'search',
  params: ({ entity: query }) => ({ query }),
  tables: [SEARCHES, SEARCH_RESULTS],
  entity: 'query',
  toTables: searchTables,
  answer,
  parts: SEARCH_LISTS.map(({ key, fields }) => ({ at: `$.${key}[*]`, fields })),
})

/** The results of a search as tables. @throws SourceDataError: a list is missing or no array */
function searchTables(body: unknown, context: PageContext): PageTables {
  const { own, items: sent, rejected } = splitLists(body, SEARCH_LISTS)
  const searches = readLone(SEARCH_BODY_FIELDS, own)
  const page = listingPage(searches, [])
  addRejected(page.rejected, rejected)
  const rows: ListingRow[] = []
  const kinds: string[] = []
  const counts: Record<string, Scalar[]> = {}
  page.itemCount = 0
  for (const { key, kind, countColumn, fields } of SEARCH_LISTS) {
    const items = sent[key].map(itemOf)
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
  if (!isRecord(source) || typeof source['id'] !== 'number') return { at, source }
  return { at, source: { ...source, id: String(source['id']) }, whole: source }
}
