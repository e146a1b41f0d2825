import type { BodyPart } from '../record/body-part.ts'
import type { TableSpec } from '../dataset.ts'
import type { RecordField } from '../record/record-field.ts'
import {
  TRENDING_CATEGORY_FIELDS,
  TRENDING_COIN_FIELDS,
  TRENDING_NFT_FIELDS,
} from './trending-fields.ts'
import {
  TRENDING_CATEGORIES,
  TRENDING_CATEGORY_CHANGE,
  TRENDING_CATEGORY_CHANGES,
  TRENDING_COIN_CHANGE,
  TRENDING_COIN_CHANGES,
  TRENDING_COINS,
  TRENDING_NFTS,
} from './trending-tables.ts'

export interface TrendingList {
  key: 'coins' | 'nfts' | 'categories'
  table: TableSpec
  fields: readonly RecordField[]
  idColumn: string
  countColumn: string
  /** The key of the object in the item; null: the item is the object. */
  wrapper: string | null
  /** The map by currency in each item. `field`: that of the map's members. */
  changes: { table: TableSpec; fieldColumn: string; section: string; field: RecordField } | null
}

/** In the order of the source. */
export const TRENDING: readonly TrendingList[] = [
  {
    key: 'coins',
    table: TRENDING_COINS,
    fields: TRENDING_COIN_FIELDS,
    idColumn: 'coin_id',
    countColumn: 'coin_count',
    wrapper: 'item',
    changes: {
      table: TRENDING_COIN_CHANGES,
      fieldColumn: 'data_price_change_percentage_24h',
      section: 'data',
      field: TRENDING_COIN_CHANGE,
    },
  },
  {
    key: 'nfts',
    table: TRENDING_NFTS,
    fields: TRENDING_NFT_FIELDS,
    idColumn: 'nft_id',
    countColumn: 'nft_count',
    wrapper: null,
    changes: null,
  },
  {
    key: 'categories',
    table: TRENDING_CATEGORIES,
    fields: TRENDING_CATEGORY_FIELDS,
    idColumn: 'category_number',
    countColumn: 'category_count',
    wrapper: null,
    changes: {
      table: TRENDING_CATEGORY_CHANGES,
      fieldColumn: 'data_market_cap_change_percentage_24h',
      section: 'data',
      field: TRENDING_CATEGORY_CHANGE,
    },
  },
]

export const TRENDING_PARTS: readonly BodyPart[] = TRENDING.flatMap((list): BodyPart[] => {
  const { key, wrapper, fields, changes } = list
  const at = `$.${key}[*]${wrapper === null ? '' : `.${wrapper}`}`
  const own = { at, fields }
  if (changes === null) return [own]
  return [own, { at: `${at}.${changes.section}`, fields: [changes.field], each: 'map' }]
})
