import type { Config } from '../../config/config.ts'
import type { DatasetOrder } from '../../config/settings/read-order.ts'
import { orderLabel } from '../../config/order-label.ts'

/** The order of a configuration with this label: `market_chart`, `market_chart/hourly`. */
export function orderOf({ datasets }: Config, label: string): DatasetOrder | undefined {
  return datasets.find((order) => orderLabel(order) === label)
}
