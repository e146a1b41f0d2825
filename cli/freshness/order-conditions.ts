import type { DatasetOrder } from '../../config/settings/read-order.ts'
import type { Dataset, TableSpec } from '../../datasets/dataset.ts'
import { quoteName, quoteText } from '../../datasets/table/ddl.ts'

/** The column with the ids of a dataset; others have theirs in `coin_id`. */
const ID_COLUMNS: Partial<Record<NonNullable<Dataset['entity']>, string>> = {
  exchange: 'exchange_id',
  derivative_exchange: 'exchange_id',
}

/**
 * SQL conditions for the rows of one of several orders of a dataset: its currencies and its ids. An order without ids
 * leaves out the rows of orders with a shorter `every`, which would hide its missing snapshots. A dataset's only order
 * has no conditions.
 */
export function orderConditions(
  order: DatasetOrder,
  orders: readonly DatasetOrder[],
  { columns }: TableSpec,
  { entity }: Dataset,
): string[] {
  const otherOrders = orders.filter((one) => one.dataset === order.dataset && one !== order)
  if (otherOrders.length === 0) return []
  const has = (name: string): boolean => columns.some((column) => column.name === name)
  const isIn = (name: string, values: readonly string[], not = ''): string[] =>
    has(name) && values.length > 0
      ? [`${quoteName(name)} ${not}IN (${values.map(quoteText).join(', ')})`]
      : []
  const idColumn = (entity === null ? undefined : ID_COLUMNS[entity]) ?? 'coin_id'
  const ids = idsOf(order)
  const shorter = otherOrders.filter(({ everyMs }) => everyMs < order.everyMs)
  return [
    ...isIn('vs_currency', order.vsCurrencies),
    ...(ids.length > 0
      ? isIn(idColumn, ids)
      : isIn(idColumn, [...new Set(shorter.flatMap(idsOf))], 'NOT ')),
  ]
}

/** The ids that an order names; [] = none. */
export function idsOf({ coins, exchanges }: DatasetOrder): readonly string[] {
  return exchanges ?? (coins !== null && 'ids' in coins ? coins.ids : [])
}
