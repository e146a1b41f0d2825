import { tableFromColumns } from '../../datasets/arrow/arrow-columns.ts'
import { coinDetails } from '../../datasets/coin-details.ts'
import type { Scalar } from '../../datasets/arrow/column-data.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { tableByName } from '../../datasets/index.ts'
import { categoriesOf } from './category-universe.ts'
import type { MarketCoin } from './coin-universe.ts'
import { listingBatches } from './listing-batches.ts'
import type { MarketBatch } from './write-batches.ts'
import type { Market } from './market.ts'
import { tableRecords } from './table-records.ts'

export const COIN_CATEGORIES_TABLE = 'coin_detail_categories'

/**
 * The categories of every coin. Coins with equal categories differ only in their id, so one of them is read: reading
 * 18,000 details takes a minute.
 */
export function coinCategoryRows(market: Market): MarketBatch {
  const spec = tableByName(COIN_CATEGORIES_TABLE)!
  const rowsBySet = new Map<string, Record<string, Scalar>[]>()
  const records = market.coins.flatMap((coin) => {
    const set = categoriesOf(coin)
      .map(({ id }) => id)
      .join()
    const rows = rowsBySet.get(set) ?? rowsOf(market, coin, spec)
    rowsBySet.set(set, rows)
    return rows.map((row): Record<string, Scalar> => ({ ...row, coin_id: coin.id }))
  })
  const columns = Object.fromEntries(
    spec.columns.map(({ name }) => [name, records.map((record) => record[name]!)]),
  )
  return { table: spec.name, rows: tableFromColumns(spec, columns, records.length) }
}

function rowsOf(market: Market, { id }: MarketCoin, spec: TableSpec): Record<string, Scalar>[] {
  return [...listingBatches(coinDetails, market, [id])]
    .filter(({ table }) => table === spec.name)
    .flatMap(({ rows }) => [...tableRecords(spec, rows)])
}
