import { SourceDataError } from '../api/errors.ts'
import { CATEGORY_TOP_COINS, topCoinsOf, withTopCoins } from './markets/category-top-coins.ts'
import { CATEGORY_ID, ORDINAL } from './table/common-columns.ts'
import { snapshotTable } from './table/snapshot-table.ts'
import type { Answer, RowSelection } from './dataset.ts'
import { itemsOf, listingPage, listingTable, readListing, rowsTable } from './record/listing.ts'
import {
  amount,
  child,
  columnsOf,
  field,
  text,
  time,
  type RecordField,
} from './record/record-field.ts'
import { newestRows, ofObservation } from './record/newest-rows.ts'
import { snapshotDataset } from './request/snapshot-dataset.ts'
import { writeRecord } from './record/write-record.ts'

const CATEGORY_MARKET_FIELDS: readonly RecordField[] = [
  field('id', CATEGORY_ID),
  text('name', 'Display name at that moment.'),
  amount(
    'market_cap',
    'USD',
    'Market cap of all coins of the category; 0 or NULL for empty categories. Never sum it over categories, because a coin is in many.',
  ),
  amount(
    'market_cap_change_24h',
    'percent',
    'Change of the market cap over 24 hours; 1.5 means 1.5 %. The source calls it market_cap_change_24h.',
    'market_cap_change_percentage_24h',
  ),
  text('content', 'Words about the category; empty for many, not sent before 2022.'),
  child('top_3_coins_id', 'list', 'Rows of category_top_coins.'),
  child('top_3_coins', 'list', 'Rows of category_top_coins.'),
  amount(
    'volume_24h',
    'USD',
    'Volume of all coins of the category in the 24 hours before: a rolling figure.',
  ),
  time('updated_at', 'updated_at', 'millis', 'When the source last worked these numbers out.'),
]

const CATEGORY_MARKETS = snapshotTable({
  name: 'category_markets',
  description:
    'Market cap and volume of categories of coins at one moment, always in US dollars: one row per category and observation. Categories overlap.',
  key: ['category_id', 'observed_at'],
  columns: [
    {
      ...ORDINAL,
      description: 'Place in the listing from 0, which the source sorts by market cap.',
    },
    ...columnsOf(CATEGORY_MARKET_FIELDS),
  ],
})

/** Without market_cap_desc: the rows were recorded in that order. */
const ORDER_BY: Readonly<Record<string, RowSelection['orderBy']>> = {
  market_cap_asc: [{ column: 'market_cap' }],
  name_desc: [{ column: 'name', descending: true }],
  name_asc: [{ column: 'name' }],
  market_cap_change_24h_desc: [{ column: 'market_cap_change_percentage_24h', descending: true }],
  market_cap_change_24h_asc: [{ column: 'market_cap_change_percentage_24h' }],
}

const answer: Answer = {
  select: (params, nowMs) => [
    newestRows(CATEGORY_MARKETS, nowMs, {
      orderBy: [...(ORDER_BY[params['order'] ?? ''] ?? []), { column: 'ordinal' }],
    }),
    newestRows(CATEGORY_TOP_COINS, nowMs, {
      orderBy: [{ column: 'category_id' }, { column: 'ordinal' }],
    }),
  ],
  toBody: ([rows = [], tops = []]) => {
    const byCategory = Map.groupBy(tops, (row) => row['category_id'])
    return rows.map((row) => {
      const own = byCategory.get(row['category_id']) ?? []
      return writeRecord(CATEGORY_MARKET_FIELDS, withTopCoins(row, ofObservation(own, row)))
    })
  },
}

export const categoryMarkets = snapshotDataset({
  name: 'category_markets',
  description: 'Market cap, volume and greatest coins of all categories, once per `every`.',
  operation: 'coins/categories',
  params: () => ({ order: 'market_cap_desc' }),
  tables: [CATEGORY_MARKETS, CATEGORY_TOP_COINS],
  toTables: (body, context) => {
    if (!Array.isArray(body)) throw new SourceDataError('$ is no array')
    const listing = readListing(CATEGORY_MARKET_FIELDS, itemsOf(body), '$', ['category_id'])
    const tops = listing.rows.flatMap(topCoinsOf)
    return listingPage(listing, [
      listingTable(CATEGORY_MARKETS, CATEGORY_MARKET_FIELDS, listing.rows, context),
      rowsTable(CATEGORY_TOP_COINS, tops, context),
    ])
  },
  answer,
  parts: [
    { at: '$[*]', fields: CATEGORY_MARKET_FIELDS },
    {
      at: '$[*]',
      each: 'list',
      fields: [
        text('top_3_coins_id', 'Id of one of the greatest coins.'),
        text('top_3_coins', 'URL of its picture.'),
      ],
    },
  ],
})
