import type { Config } from '../../config/config.ts'
import type { SinkName } from '../../config/config.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import type { RepairReport } from '../../sinks/duckdb-store/repair/mark-damaged.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import type { Difference } from '../../sinks/verify/verify-source.ts'
import type { PageKey } from '../../stage/page-stage.ts'
import { openPublications, publicationNow } from '../run/open-publications.ts'
import { openConfiguredStage } from '../run/stage-of.ts'

const SINKS: readonly SinkName[] = ['duckdb', 'parquet']

/** The further results of a repair. */
export interface Repaired extends RepairReport {
  /** Publications that were made anew from the store. */
  published: SinkName[]
  /** Publications that differ and that `sinks` does not name: no run publishes them. */
  left: SinkName[]
  /** Damaged answers that were moved aside. */
  movedAside: number
}

/**
 * Repairs without a call: marks damaged slices for the next backfill, publishes anew what differs from a sound store,
 * and moves damaged answers aside, as they cannot be read.
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
  const movedAside = damaged.length
  const repaired: Repaired = { marked: [], past: [], published: [], left, movedAside }
  if (inStore.length > 0) Object.assign(repaired, await store.markDamaged(inStore))
  else repaired.published = await publishAnew(config, store, paths, bad)
  const stage = openConfiguredStage(config, { dir: paths.stageDir })
  // The stage moves a damaged page aside when it is looked for.
  for (const key of damaged) await stage.find(key)
  const isIdle = inStore.length + differ.length + damaged.length === 0
  return isIdle ? null : repaired
}

async function publishAnew(
  config: Config,
  store: Store,
  paths: WarehousePaths,
  bad: readonly SinkName[],
): Promise<SinkName[]> {
  if (bad.length === 0) return []
  const { publications, close } = await openPublications(config, store, paths)
  try {
    const run = await publicationNow(store)
    for (const one of publications.filter(({ name }) => bad.includes(name))) await one.publish(run)
    return [...bad]
  } finally {
    close()
  }
}
