import type { Config, SinkName } from '../../config/config.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import type { RepairReport } from '../../sinks/duckdb-store/repair/mark-damaged.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import type { Difference } from '../../sinks/verify/verify-source.ts'
import type { PageKey } from '../../stage/page-stage.ts'
import { openPublications, republishFacts } from '../run/open-publications.ts'
import { openConfiguredStage } from '../run/open-configured-stage.ts'
import { withOpen } from '../run/closing-after.ts'

const SINKS: readonly SinkName[] = ['duckdb', 'parquet']

export interface Repaired extends RepairReport {
  /** Publications that were made again from the store. */
  published: SinkName[]
  /** Publications that differ, and that no run makes again, because `sinks` lacks them. */
  left: SinkName[]
  movedAside: number
}

/**
 * Marks damaged slices for the next backfill. If the store is sound, publishes from it again where a publication
 * differs. Moves damaged answers aside. Makes no call.
 *
 * @returns null = nothing needs repair
 */
export async function repairWarehouse(
  config: Config,
  { store, paths, damaged }: { store: Store; paths: WarehousePaths; damaged: PageKey[] },
  differences: readonly Difference[],
): Promise<Repaired | null> {
  const inStore = differences.filter(({ place }) => place === 'store')
  const differ = SINKS.filter((sink) => differences.some(({ place }) => place === sink))
  const bad = differ.filter((sink) => config.sinks.includes(sink))
  const left = differ.filter((sink) => !config.sinks.includes(sink))
  if (inStore.length + differ.length + damaged.length === 0) return null
  const isSound = inStore.length === 0
  const marked = isSound
    ? { marked: [], past: [] }
    : await store.markDamaged(inStore, config.source.maxHistoryDays)
  const published = isSound ? await publishAnew(config, store, paths, bad) : []
  const stage = openConfiguredStage(config, { dir: paths.stageDir })
  // The stage moves a damaged page aside on access.
  for (const key of damaged) await stage.find(key)
  return { ...marked, published, left, movedAside: damaged.length }
}

async function publishAnew(
  config: Config,
  store: Store,
  paths: WarehousePaths,
  bad: readonly SinkName[],
): Promise<SinkName[]> {
  return await withOpen(openPublications(config, store, paths), async ({ publications }) => {
    const run = { ...(await republishFacts(store)), isAnew: true }
    for (const one of publications.filter(({ name }) => bad.includes(name))) await one.publish(run)
    return [...bad]
  })
}
