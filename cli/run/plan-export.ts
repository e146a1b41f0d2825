import { existsSync } from 'node:fs'
import { planFor } from '../../activities/plan-run.ts'
import type { Config } from '../../config/config.ts'
import { wantedFromConfig } from '../../config/wanted.ts'
import { warehousePaths } from '../../config/warehouse-paths.ts'
import { datasets } from '../../datasets/index.ts'
import { pendingSlices } from '../../plan/pending-slices.ts'
import type { SlicePlan } from '../../plan/plan-slices.ts'
import { pricePlan } from '../../plan/price.ts'
import type { PlanPrice } from '../../plan/price.ts'
import { openStore } from '../../sinks/duckdb-store/open-store.ts'
import type { KnownListing, Store } from '../../sinks/store.ts'
import type { Effects } from '../effects.ts'
import { coinlakeVersion } from '../version.ts'

export interface PlannedExport {
  plan: SlicePlan
  price: PlanPrice
  /** Calls that the ledger counts since the first of this UTC month. */
  usedThisMonth: number
}

/** What a ledger must tell for a plan. */
interface LedgerView extends Pick<Store, 'covered' | 'universe'> {
  knownListings(): Promise<KnownListing[]>
  callsSince(sinceMs: number): Promise<number>
}

/** A warehouse that does not exist yet covers nothing; planning must not make it. */
const emptyLedger: LedgerView = {
  covered: async () => [],
  universe: async () => null,
  knownListings: async () => [],
  callsSince: async () => 0,
}

/**
 * What a backfill of this configuration would do and cost. Fetches nothing and makes nothing.
 *
 * @throws ConfigError; SinkError when the store is held by another process
 */
export async function planExport(effects: Effects, config: Config): Promise<PlannedExport> {
  const { clock } = effects
  const order = { wanted: wantedFromConfig(config, datasets, clock) }
  const { storeFile } = warehousePaths(config.warehouseDir)
  const store = existsSync(storeFile)
    ? await openStore({
        file: storeFile,
        tables: datasets.flatMap((dataset) => dataset.tables),
        datasets,
        coinlakeVersion,
        clock,
      })
    : null
  try {
    const ledger = store ?? emptyLedger
    const plan = await planFor(order, { clock, config, store: ledger })
    const nowMs = clock.nowMs()
    const usedThisMonth = await ledger.callsSince(startOfMonthMs(nowMs))
    const { source } = config
    const price = pricePlan({
      slices: plan.slices,
      datasets,
      nowMs,
      maxHistoryDays: source.maxHistoryDays,
      knownItems: await ledger.knownListings(),
      pending: {
        universes: plan.pendingUniverses,
        slices: pendingSlices(
          {
            wanted: order.wanted,
            covered: [],
            nowMs,
            datasets,
            maxHistoryDays: source.maxHistoryDays,
            universes: {},
          },
          plan,
        ),
      },
      rate: source.rate,
      monthlyCalls: source.monthlyCalls,
      usedThisMonth,
      sinks: config.sinks,
      keepsRaw: config.stageKeep !== 'none',
    })
    return { plan, price, usedThisMonth }
  } finally {
    await store?.close()
  }
}

function startOfMonthMs(nowMs: number): number {
  const now = new Date(nowMs)
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)
}
