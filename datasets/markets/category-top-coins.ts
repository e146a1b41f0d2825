import { column, required } from '../table/column.ts'
import { snapshotBy } from '../table/row-keys.ts'
import type { Scalar } from '../arrow/column-data.ts'
import { CATEGORY_ID, COIN_ID, OBSERVED_AT, OBSERVED_DATE } from '../table/common-columns.ts'
import type { Row, TableSpec } from '../dataset.ts'
import type { ListingRow } from '../record/listing.ts'
import { isCleanText } from '../record/record-value.ts'

const LISTS = ['top_3_coins_id', 'top_3_coins'] as const

export const CATEGORY_TOP_COINS: TableSpec = {
  name: 'category_top_coins',
  description:
    'The (at most three) greatest coins of each category at one moment: one row per category, observation and place.',
  columns: [
    CATEGORY_ID,
    OBSERVED_AT,
    OBSERVED_DATE,
    required('ordinal', 'integer', 'Place by market cap within the category, from 0.'),
    {
      ...COIN_ID,
      nullable: true,
      description: `${COIN_ID.description} NULL in recordings before 2024, which have only the logo.`,
    },
    column('image', 'string', 'URL of the logo of the coin.'),
  ],
  ...snapshotBy(['category_id', 'observed_at', 'ordinal']),
}

/** The rows of one category's top coins. `_extra` keeps both lists when the columns cannot give them back exactly. */
export function topCoinsOf(row: ListingRow): Record<string, Scalar>[] {
  const lists = LISTS.map((key) => row.children.get(key) as readonly unknown[] | undefined)
  const [ids, images] = lists
  const length = Math.max(ids?.length ?? 0, images?.length ?? 0)
  const isExact = lists.every(
    (list) => list === undefined || (list.length === length && list.every(isCleanText)),
  )
  if (!isExact) {
    LISTS.forEach((key, index) => {
      if (lists[index] !== undefined) row.extra.set(key, lists[index])
    })
  }
  return Array.from({ length }, (_, ordinal) => ({
    category_id: row.values['category_id']!,
    ordinal,
    coin_id: textAt(ids, ordinal),
    image: textAt(images, ordinal),
  }))
}

/** A row of category_markets with its two lists put back from `tops`. */
export function withTopCoins(row: Row, tops: readonly Row[]): Row {
  return {
    ...row,
    top_3_coins_id: JSON.stringify(tops.map((top) => top['coin_id'])),
    top_3_coins: JSON.stringify(tops.map((top) => top['image'])),
  }
}

function textAt(list: readonly unknown[] | undefined, index: number): string | null {
  const value = list?.[index]
  return isCleanText(value) ? value : null
}
