import { DAY_MS, HOUR_MS } from '../../config/values/duration.ts'
import type { CallRate } from '../../api/rate-headers.ts'
import type { Config } from '../../config/config.ts'
import { orderLabel } from '../../config/order-label.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import type { WantedDataset } from '../../plan/order.ts'
import { pendingSlices } from '../../plan/pending-slices.ts'
import type { SlicePlan } from '../../plan/plan-slices.ts'
import { itemsLookup, pricePlan, type KnownItems, type PlanPrice } from '../../plan/price.ts'
import { repeatPrice, type RepeatPrice } from '../../plan/repeat-price.ts'

interface WarehouseFacts {
  listings: readonly KnownItems[]
  /** Chosen coins by selector text. */
  universes: Readonly<Record<string, readonly string[]>>
  usedThisMonth: number
  /** Learned rate of all keys; null = not known. */
  learnedRate: CallRate | null
}

export interface ExportPrice {
  price: PlanPrice
  /** A month of later runs for each likely period, the longest first. */
  repeated: RepeatPrice[]
}

/** The price of a plan, and of a month of runs that keep its warehouse up to date. Pure. */
export function priceExport(
  { source, sinks, stage, datasets: orders }: Config,
  datasets: readonly Dataset[],
  planned: { wanted: readonly WantedDataset[]; plan: SlicePlan; nowMs: number },
  warehouse: WarehouseFacts,
): ExportPrice {
  const { wanted, plan, nowMs } = planned
  const { maxHistoryDays } = source
  const keys = Math.max(1, source.apiKeys.length)
  const monthlyCalls = source.monthlyCalls === null ? null : source.monthlyCalls * keys
  const said = source.rate === null ? null : { ...source.rate, calls: source.rate.calls * keys }
  const rate = said ?? warehouse.learnedRate
  const labels = orders.map(orderLabel)
  const input = { wanted, labels, nowMs, datasets, maxHistoryDays }
  const price = pricePlan({
    slices: plan.slices,
    orders: plan.orders,
    labels,
    datasets,
    nowMs,
    maxHistoryDays,
    knownItems: warehouse.listings,
    pending: {
      universes: plan.pendingUniverses,
      slices: pendingSlices({ ...input, covered: [], universes: {} }, plan),
    },
    rate,
    monthlyCalls,
    usedThisMonth: warehouse.usedThisMonth,
    sinks,
    keepsRaw: stage.keep !== 'none',
  })
  const lastReadingOf = itemsLookup(warehouse.listings)
  const { universes } = warehouse
  return {
    price,
    repeated: runPeriods(wanted).map((runEveryMs) =>
      repeatPrice({ ...input, universes, lastReadingOf, runEveryMs, monthlyCalls }),
    ),
  }
}

/** The likely periods of runs: a day, an hour, and the `every` of snapshots, because only a run takes them. */
function runPeriods(wanted: readonly WantedDataset[]): number[] {
  const asked = wanted.map(({ everyMs }) => everyMs).filter((ms) => ms > 0 && ms < DAY_MS)
  return [...new Set([DAY_MS, HOUR_MS, ...asked])].sort((a, b) => b - a)
}
