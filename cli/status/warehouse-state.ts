import { CoinlakeError } from '../../config/coinlake-error.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../config/clock.ts'
import { gonePublications, type GonePublication } from '../query/gone-publications.ts'
import type { Freshness } from '../freshness/freshness-facts.ts'
import { keyMonths, type KeyMonth } from '../run/key-months.ts'
import { seenStalls } from '../watch/tell-stalls.ts'
import type { Stall } from '../watch/stall-watch.ts'
import { diskUse, type DiskUse } from './disk-use.ts'
import { publishedFreshness } from '../freshness/published-freshness.ts'

export interface WarehouseState {
  months: KeyMonth[]
  freshness: Freshness[]
  /** Publications that readers had and that are gone. */
  gone: GonePublication[]
  /** The reason why freshness or publications are unknown; null = they are known. */
  unreadable: string | null
  /** null = there is no warehouse here. */
  disk: DiskUse | null
  /** Open runs that stand still, as a worker has seen. */
  stalled: Stall[]
}

/** Reads the state from the folder. Delays no run. */
export async function warehouseState(config: Config, clock: Clock): Promise<WarehouseState> {
  let freshness: Freshness[] = []
  let gone: GonePublication[] = []
  let unreadable: string | null = null
  const paths = pathsOf(config)
  try {
    freshness = await publishedFreshness(config, clock)
    gone = await gonePublications(paths, config.sinks)
  } catch (error) {
    if (!(error instanceof CoinlakeError)) throw error
    unreadable = `${error.message} (${error.hint})`
  }
  const months = await keyMonths(config)
  const disk = await diskUse(paths)
  const stalled = seenStalls(paths.stateDir, Date.now())
  return { months, freshness, gone, unreadable, disk, stalled }
}
