import { required } from '../table/column.ts'
import { COIN_ID, ORDINAL, VS_CURRENCY } from '../table/common-columns.ts'
import { snapshotTable } from '../table/snapshot-table.ts'
import type { BodyPart, Column, TableSpec } from '../dataset.ts'
import { child, columnsOf, plainAmount, type RecordField, json } from '../record/record-field.ts'
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

export const TRENDING_LISTS = snapshotTable({
  name: 'trending_lists',
  description:
    'The trending lists of one moment: one row per observation, with the length of each list. Their items are in trending_coins, trending_nfts and trending_categories.',
  key: ['observed_at'],
  columns: [
    countColumn('coin_count', 'coins'),
    countColumn('nft_count', 'collections'),
    countColumn('category_count', 'categories'),
    ...columnsOf(TRENDING_LIST_FIELDS),
  ],
})

/** The map by currency that `data` has in each item of a list. */
export interface TrendingChanges {
  table: TableSpec
  /** The column of the map in the item. */
  fieldColumn: string
  field: RecordField
}

export interface TrendingList {
  key: 'coins' | 'nfts' | 'categories'
  isRequired: boolean
  table: TableSpec
  fields: readonly RecordField[]
  idColumn: string
  countColumn: string
  /** The key of the object in the item; absent: the item is the object. */
  wrapper?: string
  changes?: TrendingChanges
}

function trendingList(
  name: string,
  description: string,
  list: Omit<TrendingList, 'table'>,
): TrendingList {
  const place = { ...ORDINAL, description: 'Place in the list from 0, the most trending first.' }
  const key = [list.idColumn, 'observed_at']
  const columns = [place, ...columnsOf(list.fields)]
  return { ...list, table: snapshotTable({ name, description, key, columns }) }
}

function changesBy(
  id: Column,
  name: string,
  description: string,
  field: RecordField,
): TrendingChanges {
  return {
    table: snapshotTable({
      name,
      description,
      key: [id.name, 'vs_currency', 'observed_at'],
      columns: [id, VS_CURRENCY, field.column],
      technical: [],
    }),
    fieldColumn: `data_${field.path[0]}`,
    field,
  }
}

/** In the order of the source. */
export const TRENDING: readonly TrendingList[] = [
  trendingList(
    'trending_coins',
    'Coins most searched for in the 24 hours before one moment: one row per coin and observation. The source lists 7 or 15 coins; a coin without a row was not trending.',
    {
      key: 'coins',
      isRequired: true,
      fields: TRENDING_COIN_FIELDS,
      idColumn: 'coin_id',
      countColumn: 'coin_count',
      wrapper: 'item',
      changes: changesBy(
        COIN_ID,
        'trending_coin_changes',
        'Change of the price of trending coins in 24 hours: one row per coin, currency and observation.',
        plainAmount(
          'price_change_percentage_24h',
          'percent',
          'Change of the price in vs_currency in 24 hours; 1.5 = 1.5 %.',
        ),
      ),
    },
  ),
  trendingList(
    'trending_nfts',
    'Collections of non-fungible tokens that trended at one moment: one row per collection and observation.',
    {
      key: 'nfts',
      isRequired: false,
      fields: TRENDING_NFT_FIELDS,
      idColumn: 'nft_id',
      countColumn: 'nft_count',
    },
  ),
  trendingList(
    'trending_categories',
    'Categories of coins that trended at one moment: one row per category and observation.',
    {
      key: 'categories',
      isRequired: false,
      fields: TRENDING_CATEGORY_FIELDS,
      idColumn: 'category_number',
      countColumn: 'category_count',
      changes: changesBy(
        columnsOf(TRENDING_CATEGORY_FIELDS).find(({ name }) => name === 'category_number')!,
        'trending_category_changes',
        'Change of the market cap of trending categories in 24 hours: one row per category, currency and observation.',
        plainAmount(
          'market_cap_change_percentage_24h',
          'percent',
          'Change of the market cap in vs_currency in 24 hours; 1.5 = 1.5 %.',
        ),
      ),
    },
  ),
]

/** The JSON path of an object of the list; `index`: its place, or `*`. */
export function trendingPath({ key, wrapper }: TrendingList, index: number | '*'): string {
  return `$.${key}[${index}]${wrapper === undefined ? '' : `.${wrapper}`}`
}

export const TRENDING_PARTS: readonly BodyPart[] = TRENDING.flatMap((list): BodyPart[] => {
  const at = trendingPath(list, '*')
  const { fields, changes } = list
  const own = { at, fields }
  return changes === undefined
    ? [own]
    : [own, { at: `${at}.data`, fields: [changes.field], each: 'map' }]
})
