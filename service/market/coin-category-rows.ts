import { tableFromColumns } from '../../datasets/arrow/arrow-columns.ts'
import { coinDetails } from '../../datasets/coin-details.ts'
import type { Scalar } from '../../datasets/arrow/column-data.ts'
import { tableByName } from '../../datasets/index.ts'
import { categoriesOf } from './category-universe.ts'
import type { MarketCoin } from './coin-universe.ts'
import { listingBatches } from './listing-batches.ts'
import type { MarketBatch } from './market-batch.ts'
import type { Market } from './market.ts'
import { tableRecords } from './table-records.ts'

/** Read over all coins, to tell which ones a category has. */
export const CATEGORY_MEMBERS = 'coin_detail_categories'

/**
 * The categories of every coin, the rows that its details have of them. Coins of the same categories
 * differ in their id alone: the dataset reads one of each kind, as 18,000 details take it a minute.
 */
export function categoryMembers(market: Market): MarketBatch {
  const spec = tableByName(CATEGORY_MEMBERS)!
  const read = new Map<string, Record<string, Scalar>[]>()
  const records = market.coins.flatMap((coin) => {
    const kind = categoriesOf(coin)
      .map(({ id }) => id)
      .join()
    const rows = read.get(kind) ?? membersRead(market, coin)
    read.set(kind, rows)
    return rows.map((row): Record<string, Scalar> => ({ ...row, coin_id: coin.id }))
  })
  const columns = Object.fromEntries(
    spec.columns.map(({ name }) => [name, records.map((record) => record[name]!)]),
  )
  return { table: CATEGORY_MEMBERS, rows: tableFromColumns(spec, columns, records.length) }
}

function membersRead(market: Market, coin: MarketCoin): Record<string, Scalar>[] {
  const batches = [...listingBatches(coinDetails, market, [coin.id])]
  const spec = tableByName(CATEGORY_MEMBERS)!
  return batches
    .filter(({ table }) => table === CATEGORY_MEMBERS)
    .flatMap(({ rows }) => [...tableRecords(spec, rows)])
}
