import { required } from '../table/column.ts'
import { snapshotBy } from '../table/row-keys.ts'
import {
  ABSENT,
  COIN_ID,
  EXTRA,
  OBSERVED_AT,
  OBSERVED_DATE,
  ORDINAL,
  VS_CURRENCY,
} from '../table/common-columns.ts'
import type { Column, TableSpec } from '../dataset.ts'
import { amount, child, columnsOf, type RecordField, json } from '../record/record-field.ts'
import {
  TRENDING_CATEGORY_FIELDS,
  TRENDING_COIN_FIELDS,
  TRENDING_NFT_FIELDS,
} from './trending-fields.ts'

/** The lists of the body. `_absent` names the missing ones. */
export const TRENDING_LIST_FIELDS: readonly RecordField[] = [
  child('coins', 'list', 'Rows of trending_coins.'),
  child('nfts', 'list', 'Rows of trending_nfts.'),
  child('categories', 'list', 'Rows of trending_categories.'),
  json('exchanges', 'Trending exchanges as a JSON list: always empty in 2021, and not sent since.'),
]

function countColumn(name: string, what: string): Column {
  return required(
    name,
    'integer',
    `How many trending ${what} the source listed; 0 also when it did not send the list.`,
    what,
  )
}

export const TRENDING_LISTS: TableSpec = {
  name: 'trending_lists',
  description:
    'The trending lists of one moment: one row per observation, with the length of each list. Their items are in trending_coins, trending_nfts and trending_categories.',
  columns: [
    OBSERVED_AT,
    OBSERVED_DATE,
    countColumn('coin_count', 'coins'),
    countColumn('nft_count', 'collections'),
    countColumn('category_count', 'categories'),
    ...columnsOf(TRENDING_LIST_FIELDS),
    ABSENT,
    EXTRA,
  ],
  ...snapshotBy(['observed_at']),
}

const PLACE: Column = {
  ...ORDINAL,
  description: 'Place in the list from 0, the most trending first.',
}

function listTable(
  name: string,
  description: string,
  fields: readonly RecordField[],
  idColumn: string,
): TableSpec {
  const columns = columnsOf(fields)
  return {
    name,
    description,
    columns: [
      ...columns.filter(({ name }) => name === idColumn),
      OBSERVED_AT,
      OBSERVED_DATE,
      PLACE,
      ...columns.filter(({ name }) => name !== idColumn),
      ABSENT,
      EXTRA,
    ],
    ...snapshotBy([idColumn, 'observed_at']),
  }
}

export const TRENDING_COINS: TableSpec = listTable(
  'trending_coins',
  'Coins most searched for in the 24 hours before one moment: one row per coin and observation. The source lists 7 or 15 coins; a coin without a row was not trending.',
  TRENDING_COIN_FIELDS,
  'coin_id',
)

export const TRENDING_NFTS: TableSpec = listTable(
  'trending_nfts',
  'Collections of non-fungible tokens that trended at one moment: one row per collection and observation.',
  TRENDING_NFT_FIELDS,
  'nft_id',
)

export const TRENDING_CATEGORIES: TableSpec = listTable(
  'trending_categories',
  'Categories of coins that trended at one moment: one row per category and observation.',
  TRENDING_CATEGORY_FIELDS,
  'category_number',
)

function changeTable(
  name: string,
  description: string,
  id: Column,
  change: RecordField,
): TableSpec {
  return {
    name,
    description,
    columns: [id, VS_CURRENCY, OBSERVED_AT, OBSERVED_DATE, change.column],
    ...snapshotBy([id.name, 'vs_currency', 'observed_at']),
  }
}

/** A member of a coin's map by currency. */
export const TRENDING_COIN_CHANGE = amount(
  'price_change_percentage_24h',
  'percent',
  'Change of the price in vs_currency in 24 hours; 1.5 = 1.5 %.',
)

/** A member of a category's map by currency. */
export const TRENDING_CATEGORY_CHANGE = amount(
  'market_cap_change_percentage_24h',
  'percent',
  'Change of the market cap in vs_currency in 24 hours; 1.5 = 1.5 %.',
)

export const TRENDING_COIN_CHANGES: TableSpec = changeTable(
  'trending_coin_changes',
  'Change of the price of trending coins in 24 hours: one row per coin, currency and observation.',
  COIN_ID,
  TRENDING_COIN_CHANGE,
)

export const TRENDING_CATEGORY_CHANGES: TableSpec = changeTable(
  'trending_category_changes',
  'Change of the market cap of trending categories in 24 hours: one row per category, currency and observation.',
  columnsOf(TRENDING_CATEGORY_FIELDS).find(({ name }) => name === 'category_number')!,
  TRENDING_CATEGORY_CHANGE,
)
