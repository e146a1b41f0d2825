import { datasetLookup } from './dataset-lookup.ts'
import type { CallRate } from '../config/profiles.ts'
import type { CoinSelector } from '../config/values/coin-selector.ts'
import type { Dataset, Slice, StepContext } from '../datasets/dataset.ts'
import type { PendingSlice } from './pending-slices.ts'
import { type Bounds, type ItemsLookup, priceSlice } from './price-slice.ts'
import { coinsRequest } from './universe.ts'

/** Length of a listing when it was last loaded. The next one probably costs as much. */
export interface KnownItems extends Pick<Slice, 'dataset' | 'entity' | 'vsCurrency'> {
  /** Index of the request step. */
  step: number
  items: number
  /** Includes the empty page that proved the end. */
  pages: number
}

export interface PriceInput {
  slices: readonly Slice[]
  /** For each slice the index of its order in `labels`. */
  orders: readonly number[]
  /** Labels of orders: `market_chart`, `market_chart/hourly`. */
  labels: readonly string[]
  datasets: readonly Dataset[]
  nowMs: number
  maxHistoryDays: number | null
  knownItems: readonly KnownItems[]
  /** Selectors without chosen coins, and the most slices they can add (plan/pending-slices.ts). */
  pending: { universes: readonly CoinSelector[]; slices: readonly PendingSlice[] }
  /** Calls per window of the key; null: unknown. */
  rate: CallRate | null
  monthlyCalls: number | null
  usedThisMonth: number
  sinks: readonly ('duckdb' | 'parquet')[]
  /** Whether raw bodies stay after the load. */
  keepsRaw: boolean
}

/** The price of one order. A slice that several orders want counts for the first of them. */
export interface OrderPrice {
  dataset: string
  order: string
  slices: Bounds
  calls: Bounds & { exact: boolean }
  /** At the known rate; null: the rate is unknown. */
  minutes: Bounds | null
  /** The share of the month's calls; null: no known ceiling. */
  monthShare: Bounds | null
  rows: number
  diskBytes: number
}

export interface PlanPrice extends Pick<OrderPrice, 'calls' | 'minutes' | 'rows' | 'diskBytes'> {
  /** `share` of the month's calls. `isExceeded`: the greatest number of calls is more than the month has left. */
  month: { share: Bounds; isExceeded: boolean } | null
  perDataset: OrderPrice[]
}

/** Bytes of one value on disk (measured: 20M rows of 6 columns, sorted; bodies of the recordings). */
const BYTES_PER_VALUE = { duckdb: 4.5, parquet: 3.4, raw: 4 } as const

/** The price of a plan. Calls are bounds while a listing's length or a choice of coins is unknown. */
export function pricePlan(input: PriceInput): PlanPrice {
  const { nowMs, maxHistoryDays, rate, monthlyCalls } = input
  const context: StepContext = { nowMs, attempt: 1, maxHistoryDays }
  const lastReadingOf = itemsLookup(input.knownItems)
  const datasetOf = datasetLookup(input.datasets)
  const prices = new Map<number, Omit<OrderPrice, 'minutes' | 'monthShare'>>()
  const add = (slice: Slice, order: number, isCertain: boolean, times: number): void => {
    const dataset = datasetOf(slice.dataset)
    const { calls, rows } = priceSlice(slice, dataset, context, lastReadingOf)
    const price = prices.get(order) ?? {
      dataset: slice.dataset,
      order: input.labels[order] ?? '',
      slices: { min: 0, max: 0 },
      calls: { min: 0, max: 0, exact: true },
      rows: 0,
      diskBytes: 0,
    }
    prices.set(order, price)
    price.slices.min += isCertain ? 1 : 0
    price.slices.max += times
    price.calls.min += isCertain ? calls.min : 0
    price.calls.max += calls.max * times
    price.calls.exact = price.calls.min === price.calls.max
    price.rows += rows * times
    price.diskBytes += rows * times * bytesPerRow(dataset, input)
  }
  for (const [index, slice] of input.slices.entries()) add(slice, input.orders[index]!, true, 1)
  for (const { slice, times, order } of input.pending.slices) add(slice, order, false, times)

  const perDataset = [...prices.values()].map((price) => ({
    ...price,
    minutes: minutesOf(price.calls, rate),
    monthShare: shareOf(price.calls, monthlyCalls),
  }))
  const choosing = input.pending.universes.map((selector) => coinsRequest(selector).mostPages)
  const min = sum(perDataset, ({ calls }) => calls.min) + choosing.length
  const max = sum(perDataset, ({ calls }) => calls.max) + sum(choosing, (pages) => pages)
  const share = shareOf({ min, max }, monthlyCalls)
  return {
    calls: { min, max, exact: min === max },
    minutes: minutesOf({ min, max }, rate),
    rows: sum(perDataset, ({ rows }) => rows),
    diskBytes: Math.round(sum(perDataset, ({ diskBytes }) => diskBytes)),
    month: share && { share, isExceeded: input.usedThisMonth + max > (monthlyCalls ?? 0) },
    perDataset,
  }
}

/** Pages that slices will take; an upper bound where a listing was never read. */
export function expectedPages(
  slices: readonly Slice[],
  datasets: readonly Dataset[],
  context: StepContext,
  knownItems: readonly KnownItems[],
): number {
  const datasetOf = datasetLookup(datasets)
  const lastReadingOf = itemsLookup(knownItems)
  const pagesOf = (slice: Slice): number =>
    priceSlice(slice, datasetOf(slice.dataset), context, lastReadingOf).calls.max
  return sum(slices, pagesOf)
}

export function itemsLookup(known: readonly KnownItems[]): ItemsLookup {
  const keyOf = (slice: Omit<KnownItems, 'items' | 'pages' | 'step'>, step: number): string =>
    JSON.stringify([slice.dataset, slice.entity, slice.vsCurrency, step])
  const listings = new Map(known.map((listing) => [keyOf(listing, listing.step), listing]))
  return (slice, step) => listings.get(keyOf(slice, step)) ?? null
}

/** Bytes of a row in the store, the publications and the kept raw bodies together. */
function bytesPerRow({ tables }: Dataset, { sinks, keepsRaw }: PriceInput): number {
  const columns = Math.max(0, ...tables.map((table) => table.columns.length))
  const copies =
    BYTES_PER_VALUE.duckdb +
    sum(sinks, (sink) => BYTES_PER_VALUE[sink]) +
    (keepsRaw ? BYTES_PER_VALUE.raw : 0)
  return columns * copies
}

function minutesOf(calls: Bounds, rate: CallRate | null): Bounds | null {
  if (rate === null) return null
  const minutesPerCall = rate.perMs / rate.calls / 60_000
  return { min: calls.min * minutesPerCall, max: calls.max * minutesPerCall }
}

export function shareOf(calls: Bounds, monthlyCalls: number | null): Bounds | null {
  if (monthlyCalls === null) return null
  return { min: calls.min / monthlyCalls, max: calls.max / monthlyCalls }
}

function sum<T>(list: readonly T[], of: (item: T) => number): number {
  return list.reduce((total, item) => total + of(item), 0)
}
