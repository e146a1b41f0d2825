import { CoinlakeError } from '../../config/coinlake-error.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../config/clock.ts'
import { GONE_HINT, gonePublications } from '../query/gone-publications.ts'
import type { GonePublication } from '../query/gone-publications.ts'
import type { Freshness } from '../freshness/freshness-facts.ts'
import { needsAlert } from '../freshness/freshness-facts.ts'
import { keyMonths } from '../run/key-months.ts'
import type { KeyMonth } from '../run/key-months.ts'
import { monthText } from '../render/month-text.ts'
import { seenStalls, stallText } from '../watch/tell-stalls.ts'
import type { Stall } from '../watch/stall-watch.ts'
import { diskUse } from './disk-use.ts'
import type { DiskUse } from './disk-use.ts'
import { publishedFreshness } from '../freshness/published-freshness.ts'
import { diskLine, freshnessLines } from './state-lines.ts'

/** The state of a warehouse, with or without an open run. */
export interface WarehouseState {
  months: KeyMonth[]
  freshness: Freshness[]
  /** Publications that readers had and lost. */
  gone: GonePublication[]
  /** The reason why freshness or publications are unknown; null when they are known. */
  unreadable: string | null
  /** null = there is no warehouse here. */
  disk: DiskUse | null
  /** Open runs that a worker has seen stand still. */
  stalled: Stall[]
}

/** Reads the state from the folder; delays no run, and reports a damaged publication as damaged. */
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

/**
 * The state as lines for people; before the first run it leaves missing parts out.
 *
 * @param isCheck names missing parts all the same, as the check fails for them
 */
export function stateLines(state: WarehouseState, isCheck: boolean): string[] {
  const { months, freshness, gone, unreadable, disk, stalled } = state
  const isAnything = freshness.some(({ newestAt }) => newestAt !== null)
  const shown = isAnything || isCheck ? freshness : freshness.filter(needsAlert)
  const monthLines = months.flatMap(({ keyId, used, ceiling, reserve }) => {
    if (ceiling === null) return []
    const whose = months.length === 1 ? '' : ` of key ${keyId}`
    return [`month${whose}: ${monthText({ used, ceiling, reserve: reserve ?? 0 })}`]
  })
  const diskLines = disk === null || disk.storeBytes === 0 ? [] : [diskLine(disk)]
  const goneLines = gone.map(({ sink, what }) => `gone: ${sink}: ${what} (${GONE_HINT})`)
  const doubted = freshness.length === 0 ? 'freshness' : 'what is published'
  const doubt = unreadable === null ? [] : [`${doubted} cannot be told: ${unreadable}`]
  const stallLines = stalled.map(stallText)
  return [
    ...stallLines,
    ...monthLines,
    ...freshnessLines(shown),
    ...goneLines,
    ...doubt,
    ...diskLines,
  ]
}
