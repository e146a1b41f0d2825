import type { KnownInterval } from '../../plan/covered.ts'
import { selectorText } from '../../config/values/coin-selector.ts'
import type { Clock } from '../../config/clock.ts'
import type { Config } from '../../config/config.ts'
import { wantedFromConfig } from '../../config/wanted.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import type { Slice } from '../../datasets/dataset.ts'
import { datasets } from '../../datasets/index.ts'
import { type MissedSnapshots, missedSnapshots } from '../../plan/missed-snapshots.ts'
import type { WantedDataset } from '../../plan/order.ts'
import type { Unreachable } from '../../plan/plan-slices.ts'
import {
  pendingUnreachable,
  type UnreachableHistory,
  unreachableHistory,
} from '../../plan/unreachable-history.ts'
import { type WantedInterval, wantedCoverage } from '../../plan/wanted-coverage.ts'
import { ledgerReader } from '../../sinks/duckdb-store/ledger/ledger-reader.ts'
import {
  ABSENT_NOW_SQL,
  type AbsentNow,
  DOUBTFUL_LISTINGS_SQL,
  DROPPED_ROWS_SQL,
  KNOWN_INTERVALS_SQL,
  QUARANTINED_SLICES_SQL,
} from '../../sinks/ledger/gap-queries.ts'
import type { Effects } from '../effects.ts'
import { openLedger, type OpenLedger } from '../ledger/open-ledger.ts'
import { requireSameSource } from '../ledger/same-source.ts'
import type { ListingDoubts } from '../render/listing-doubts.ts'
import { withOpen } from '../run/closing-after.ts'
import { chosenUniverses } from '../run/scheduled-calls.ts'

/** A listing that moved while it was read, or was shorter than the source said. */
interface DoubtfulListing extends Slice, ListingDoubts {}

export interface Gaps {
  intervals: WantedInterval[]
  /** The orders of the file, whose names tell intervals apart. */
  orders: Config['datasets']
  /** Wanted history that no run can fetch, which is no gap. */
  unreachable: UnreachableHistory
  /** Snapshots that were not taken when they were due. They are no gaps, because no later run can take them. */
  missed: MissedSnapshots[]
  /** Selectors whose coins the first run will choose. */
  pendingUniverses: string[]
  /** Listings whose last answer may lack items. They are no gaps, because nothing proves it. */
  doubtful: DoubtfulListing[]
  /** Ids that the newest answers lack. Their quarantined rows are gaps until a run has reported the ids. */
  absent: AbsentNow[]
  /** Rows that were dropped from quarantine. They are no gaps. */
  givenUp: { dataset: string; rows: number }[]
  source: OpenLedger['source']
  note: string | null
}

/** Compares the configuration with the ledger. Fetches and changes nothing. @throws CoinlakeError */
export async function lookForGaps(effects: Effects, config: Config): Promise<Gaps> {
  const wanted = wantedFromConfig(config, datasets, effects.clock)
  return await withOpen(openLedger(pathsOf(config), effects.clock), async (ledger) => {
    await requireSameSource(config, ledger)
    return await gapsIn(ledger, { config, wanted, clock: effects.clock })
  })
}

export async function gapsIn(
  ledger: Pick<OpenLedger, 'rows' | 'source' | 'note'>,
  { config, wanted, clock }: { config: Config; wanted: WantedDataset[]; clock: Clock },
): Promise<Gaps> {
  const ledgerIntervals = await ledger.rows<KnownInterval>(KNOWN_INTERVALS_SQL)
  const quarantined = await ledger.rows<Slice & { rows: number }>(QUARANTINED_SLICES_SQL)
  const names = new Set(wanted.map(({ dataset }) => dataset))
  const doubtful = await ledger.rows<DoubtfulListing>(DOUBTFUL_LISTINGS_SQL)
  const absent = await ledger.rows<AbsentNow>(ABSENT_NOW_SQL)
  const reader = ledgerReader({ reader: ledger })
  const unknown = await reader.unknownEntities(null)
  const givenUp = await ledger.rows<{ dataset: string; rows: number }>(DROPPED_ROWS_SQL)
  const universes = await chosenUniverses(wanted, reader)
  const { maxHistoryDays } = config.source
  const input = { wanted, nowMs: clock.nowMs(), datasets, maxHistoryDays, universes, unknown }
  const { intervals, pendingUniverses } = wantedCoverage(input, ledgerIntervals, quarantined)
  return {
    intervals,
    orders: config.datasets,
    unreachable: unreachableHistory(
      intervals.filter(isUnreachable),
      pendingUnreachable(input, pendingUniverses),
    ),
    missed: missedSnapshots(input, ledgerIntervals),
    pendingUniverses: pendingUniverses.map(selectorText),
    doubtful: doubtful.filter(({ dataset }) => names.has(dataset)),
    absent: absent.filter(({ dataset, entity }) => isWanted(intervals, dataset, entity)),
    givenUp: givenUp.filter(({ dataset }) => names.has(dataset)),
    source: ledger.source,
    note: ledger.note,
  }
}

function isUnreachable(one: WantedInterval): one is WantedInterval & Unreachable {
  return one.state === 'unreachable'
}

function isWanted(intervals: readonly WantedInterval[], dataset: string, entity: string): boolean {
  return intervals.some((one) => one.dataset === dataset && one.entity.split(',').includes(entity))
}

/** Whether anything is missing or quarantined. Provisional and unreachable data are no gaps. */
export function hasGaps({ intervals, pendingUniverses }: Gaps): boolean {
  return (
    pendingUniverses.length > 0 ||
    intervals.some(({ state }) => state === 'missing' || state === 'quarantined')
  )
}
