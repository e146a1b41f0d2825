import type { Answer, Row } from './dataset.ts'
import { inEnvelope } from './record/envelope.ts'
import { jsonText } from './record/json-text.ts'
import { writeKeyedParts } from './record/keyed-rows.ts'
import { trendingTables } from './trending/trending-body.ts'
import {
  TRENDING,
  TRENDING_LIST_FIELDS,
  TRENDING_LISTS,
  TRENDING_PARTS,
  type TrendingList,
} from './trending/trending-lists.ts'
import { newestRows, ofObservation } from './record/newest-rows.ts'
import { snapshotDataset } from './request/snapshot-dataset.ts'
import { writeRecord } from './record/write-record.ts'

const TABLES = [
  TRENDING_LISTS,
  ...TRENDING.flatMap(({ table, changes }) =>
    changes === null ? [table] : [table, changes.table],
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
      const changes = list.changes === null ? [] : (ofObserved.shift() ?? [])
      if (Object.hasOwn(body, list.key)) body[list.key] = itemsOf(list, items, changes)
    }
    return body
  },
}

function itemsOf(list: TrendingList, items: readonly Row[], changes: readonly Row[]): unknown[] {
  const changesById = Map.groupBy(changes, (row) => row[list.idColumn])
  return items.map((item) => {
    const row: Row = { ...item }
    if (list.changes !== null) {
      const members = changesById.get(item[list.idColumn]) ?? []
      const { field, fieldColumn } = list.changes
      const map = writeKeyedParts([field], members, 'vs_currency').get(field.path[0])
      row[fieldColumn] = jsonText(map ?? {})
    }
    const record = writeRecord(list.fields, row)
    return list.wrapper === null ? record : inEnvelope(record, list.wrapper)
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
