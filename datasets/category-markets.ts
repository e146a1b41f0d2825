import { snapshotBy } from './table/row-keys.ts'
import { singleStep } from './request/single-step.ts'
import { SourceDataError } from '../api/errors.ts'
import { tableFromColumns } from './arrow/arrow-columns.ts'
import {
  CATEGORY_TOP_COINS,
  topCoinColumns,
  topCoinsOf,
  withTopCoins,
} from './markets/category-top-coins.ts'
import {
  ABSENT,
  CATEGORY_ID,
  EXTRA,
  OBSERVED_AT,
  OBSERVED_DATE,
  ORDINAL,
} from './table/common-columns.ts'
import type { Answer, Dataset, RowSelection, TableSpec } from './dataset.ts'
import {
  itemsOf,
  listingTable,
  observedIn,
  listingPage,
  ordinals,
  readListing,
} from './record/listing.ts'
import {
  amount,
  child,
  columnsOf,
  field,
  text,
  time,
  type RecordField,
} from './record/record-field.ts'
import { WITHOUT_SERIES } from './request/without-series.ts'
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

export const CATEGORY_MARKETS: TableSpec = {
  name: 'category_markets',
  description:
    'Market cap and volume of categories of coins at one moment, always in US dollars: one row per category and observation. Categories overlap.',
  columns: [
    CATEGORY_ID,
    OBSERVED_AT,
    OBSERVED_DATE,
    {
      ...ORDINAL,
      description: 'Place in the listing from 0, which the source sorts by market cap.',
    },
    ...columnsOf(CATEGORY_MARKET_FIELDS).filter(({ name }) => name !== CATEGORY_ID.name),
    ABSENT,
    EXTRA,
  ],
  ...snapshotBy(['category_id', 'observed_at']),
}

/** Without market_cap_desc: the rows were recorded in that order. */
const ORDER_BY: Readonly<Record<string, RowSelection['orderBy']>> = {
  market_cap_asc: [{ column: 'market_cap' }],
  name_desc: [{ column: 'name', descending: true }],
  name_asc: [{ column: 'name' }],
  market_cap_change_24h_desc: [{ column: 'market_cap_change_percentage_24h', descending: true }],
  market_cap_change_24h_asc: [{ column: 'market_cap_change_percentage_24h' }],
}

const answer: Answer = {
  select: (params, nowMs) => {
    const newest = { column: 'observed_at', nowMs }
    return [
      {
        table: CATEGORY_MARKETS.name,
        newest,
        orderBy: [...(ORDER_BY[params['order'] ?? ''] ?? []), { column: 'ordinal' }],
      },
      {
        table: CATEGORY_TOP_COINS.name,
        newest,
        orderBy: [{ column: 'category_id' }, { column: 'ordinal' }],
      },
    ]
  },
  toBody: ([rows = [], tops = []]) => {
    const byCategory = Map.groupBy(tops, (row) => row['category_id'])
    return rows.map((row) => {
      // The selected top coins may be of an older observation, when this one has none.
      const own = (byCategory.get(row['category_id']) ?? []).filter(
        (top) => top['observed_at'] === row['observed_at'],
      )
      return writeRecord(CATEGORY_MARKET_FIELDS, withTopCoins(row, own))
    })
  },
}

export const categoryMarkets: Dataset = {
  name: 'category_markets',
  description: 'Market cap, volume and greatest coins of all categories, once per `every`.',
  kind: 'snapshot',
  operations: ['coins/categories'],
  tables: [CATEGORY_MARKETS, CATEGORY_TOP_COINS],
  entity: null,
  ...WITHOUT_SERIES,
  steps: () => [singleStep('coins/categories', { order: 'market_cap_desc' })],
  toTables: (body, context) => {
    if (!Array.isArray(body)) throw new SourceDataError('$ is no array')
    const listing = readListing(CATEGORY_MARKET_FIELDS, itemsOf(body), '$', ['category_id'])
    const tops = listing.rows.flatMap(topCoinsOf)
    const observed = observedIn(context)
    const ordinal = ordinals(listing.rows, context)
    const more = { ...observed, ordinal }
    return listingPage(listing, [
      listingTable(CATEGORY_MARKETS, CATEGORY_MARKET_FIELDS, listing.rows, more),
      {
        table: CATEGORY_TOP_COINS.name,
        rows: tableFromColumns(
          CATEGORY_TOP_COINS,
          { ...topCoinColumns(tops), ...observed },
          tops.length,
        ),
      },
    ])
  },
  answers: { 'coins/categories': answer },
  bodies: {
    'coins/categories': [
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
  },
}
