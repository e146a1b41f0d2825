/** Names that an order may have; shared with the JSON schema so that editors complain early. */
export const ORDER_NAME_PATTERN = '^[a-z0-9][a-z0-9_-]{0,39}$'

/** The facts that tell an order from the others. */
export interface LabelledOrder {
  dataset: string
  /** null = the only order of its dataset, and nobody named it. */
  name: string | null
}

/** An order as people name it: `market_chart`, or `market_chart/hourly` where it has a name. */
export function orderLabel({ dataset, name }: LabelledOrder): string {
  return name === null ? dataset : `${dataset}/${name}`
}

/** An order's label with its granularity, which an order without a name of its own has in it already. */
export function seriesText(label: string, granularity: string): string {
  return granularity === '' || label.endsWith(`/${granularity}`) ? label : `${label} ${granularity}`
}

/** Whether one of the names means the order: `market_chart` means all orders of it. */
export function isNamedBy(names: readonly string[], order: LabelledOrder): boolean {
  return names.includes(order.dataset) || names.includes(orderLabel(order))
}
