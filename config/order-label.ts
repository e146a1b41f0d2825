export const ORDER_NAME_PATTERN = '^[a-z0-9][a-z0-9_-]{0,39}$'

/** The dataset and the name that identify an order. */
export interface LabelledOrder {
  dataset: string
  /** null = the only order of its dataset, without a name. */
  name: string | null
}

/** The label of an order: `market_chart`, or `market_chart/hourly` for an order with a name. */
export function orderLabel({ dataset, name }: LabelledOrder): string {
  return name === null ? dataset : `${dataset}/${name}`
}

/** An order's label with its granularity, unless the label ends with it already. */
export function seriesText(label: string, granularity: string): string {
  return granularity === '' || label.endsWith(`/${granularity}`) ? label : `${label} ${granularity}`
}

/** Whether one of the names means the order; the name of a dataset means all its orders. */
export function namesMean(names: readonly string[], order: LabelledOrder): boolean {
  return names.includes(order.dataset) || names.includes(orderLabel(order))
}
