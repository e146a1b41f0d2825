import { isRecord } from '../config/values/is-record.ts'
import type { Scalar } from './arrow/column-data.ts'
import type { Answer, PageContext, PageTables, Row } from './dataset.ts'
import { inEnvelope, keepBeside, splitLists, wasNull } from './record/envelope.ts'
import { jsonText } from './record/json-text.ts'
import { readKeyedRows, writeKeyedParts } from './record/keyed-rows.ts'
import {
  addFaults,
  type Listing,
  type ListingItem,
  listingPage,
  listingTable,
  readListing,
  readLone,
  rowsTable,
} from './record/listing.ts'
import {
  TRENDING,
  TRENDING_LIST_FIELDS,
  TRENDING_LISTS,
  TRENDING_PARTS,
  type TrendingChanges,
  type TrendingList,
  trendingPath,
} from './trending/trending-lists.ts'
import { newestRows, ofObservation } from './record/newest-rows.ts'
import { addRejected } from './record/rejected-rows.ts'
import { snapshotDataset } from './request/snapshot-dataset.ts'
import { writeRecord } from './record/write-record.ts'

const TABLES = [
  TRENDING_LISTS,
  ...TRENDING.flatMap(({ table, changes }) =>
    changes === undefined ? [table] : [table, changes.table],
  ),
]

const answer: Answer = {
  select: (_, nowMs) => TABLES.map((table) => newestRows(table, nowMs)),
  toBody: ([lists = [], ...rows]) => {
    const [observed] = lists
    if (observed === undefined) return null
    const ofObserved = rows.map((some) => ofObservation(some, observed))
    const body = writeRecord(TRENDING_LIST_FIELDS, observed)
    for (const list of TRENDING) {
      const items = ofObserved.shift() ?? []
      const changes = list.changes === undefined ? [] : (ofObserved.shift() ?? [])
      if (!Object.hasOwn(body, list.key) || wasNull(observed, list.key)) continue
      body[list.key] = itemsOf(list, items, changes)
    }
    return body
  },
}

function itemsOf(list: TrendingList, items: readonly Row[], changes: readonly Row[]): unknown[] {
  const changesById = Map.groupBy(changes, (row) => row[list.idColumn])
  return items.map((item) => {
    const row: Row = { ...item }
    if (list.changes !== undefined) {
      const members = changesById.get(item[list.idColumn]) ?? []
      const { field, fieldColumn } = list.changes
      const map = writeKeyedParts([field], members, 'vs_currency').get(field.path[0])
      row[fieldColumn] = jsonText(map ?? {})
    }
    const record = writeRecord(list.fields, row)
    return list.wrapper === undefined ? record : inEnvelope(record, list.wrapper)
  })
}

export const trendingCoins = snapshotDataset({
  name: 'trending_coins',
  description: 'Coins, collections and categories that trend, once per `every`.',
  operation: 'search/trending',
  tables: TABLES,
  toTables: trendingTables,
  answer,
  parts: [{ at: '$', fields: TRENDING_LIST_FIELDS }, ...TRENDING_PARTS],
})

/** A body of trending lists as tables. @throws SourceDataError: no list of coins, or a list is no array */
function trendingTables(body: unknown, context: PageContext): PageTables {
  const { own, items: sent, rejected } = splitLists(body, TRENDING)
  const lists = readLone(TRENDING_LIST_FIELDS, own)
  const page = listingPage(lists, [])
  addRejected(page.rejected, rejected)
  const counts: Record<string, Scalar[]> = {}
  for (const list of TRENDING) {
    const items = sent[list.key]
    counts[list.countColumn] = lists.rows.map(() => items.length)
    const path = `$.${list.key}`
    const listing = readListing(list.fields, listItems(list, items), path, [list.idColumn])
    if (list.wrapper !== undefined) {
      for (const row of listing.rows) {
        const envelope = items[row.index] as Record<string, unknown>
        keepBeside(listing, row, envelope, list.wrapper, `${path}[*]`)
      }
    }
    page.tables.push(listingTable(list.table, list.fields, listing.rows, context))
    addFaults(page, listing)
    if (list.changes !== undefined) {
      page.tables.push(changesTable(list, list.changes, listing, context, page))
    }
  }
  page.tables.unshift(
    listingTable(TRENDING_LISTS, TRENDING_LIST_FIELDS, lists.rows, context, counts),
  )
  page.itemCount = sent.coins.length
  return page
}

function listItems({ wrapper }: TrendingList, items: readonly unknown[]): ListingItem[] {
  return items.map((source, index) => {
    if (wrapper === undefined || !isRecord(source)) return { at: `[${index}]`, source }
    return { at: `[${index}].${wrapper}`, source: source[wrapper], whole: source }
  })
}

function changesTable(
  list: TrendingList,
  { table, fieldColumn, field }: TrendingChanges,
  listing: Listing,
  context: PageContext,
  page: PageTables,
): PageTables['tables'][number] {
  const rows: Record<string, Scalar>[] = []
  for (const row of listing.rows) {
    const map = row.children.get(fieldColumn)
    const at = `${trendingPath(list, row.index)}.data`
    const parts = new Map(map === undefined ? [] : [[field.path[0], map]])
    for (const member of readKeyedRows([field], parts, at, page)) {
      rows.push({
        [list.idColumn]: row.values[list.idColumn]!,
        vs_currency: member.key,
        [field.column.name]: member.values[field.column.name] ?? null,
      })
    }
  }
  return rowsTable(table, rows, context)
}
