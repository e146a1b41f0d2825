import { DAY_MS } from '../../../config/values/duration.ts'
import type { Slice } from '../../../datasets/dataset.ts'
import { quoteText } from '../../../datasets/table/ddl.ts'
import type { WantedInterval, WantedState } from '../../../plan/wanted-coverage.ts'
import { BUCKET_DATASETS } from '../../gaps/gaps-text.ts'
import type { OpenLedger } from '../../ledger/open-ledger.ts'
import { heatMap, type HeatMap } from './heat-map.ts'

/** Coverage as heat maps: one for each history, the worst first, and one for all snapshots and lists. */
export interface CoverageFacts {
  histories: HeatMap[]
  /** A row for each dataset and `every`, over 60 days; a day without a cell was not wanted. null = no snapshots. */
  snapshots: HeatMap | null
}

/** The limit of rows over all maps, which keeps the page small. */
const ROWS = 64
const ROWS_OF_A_MAP = 16
const LEAST_ROWS = 3
const SNAPSHOT_DAYS = 60
const LEAST_SNAPSHOT_DAYS = 14

/** The coverage of wanted intervals. `intervals` null: nobody knows what is wanted, so the ledger's are shown. */
export async function coverageFacts(
  ledger: Pick<OpenLedger, 'rows'>,
  intervals: readonly WantedInterval[] | null,
  nowMs: number,
): Promise<CoverageFacts> {
  const shown = intervals ?? (await knownIntervals(ledger))
  const histories = shown.filter(({ dataset }) => !BUCKET_DATASETS.has(dataset))
  const groups = [
    ...Map.groupBy(histories, ({ dataset, granularity }) => `${dataset} ${granularity}`).values(),
  ]
  const maxRows = Math.max(
    LEAST_ROWS,
    Math.min(ROWS_OF_A_MAP, Math.floor(ROWS / Math.max(1, groups.length))),
  )
  const sinceMs = Math.floor(nowMs / DAY_MS) * DAY_MS - SNAPSHOT_DAYS * DAY_MS
  const buckets = await knownIntervals(ledger, { names: [...BUCKET_DATASETS], sinceMs })
  const snapshots = buckets.map((one) => ({ ...one, fromMs: Math.max(one.fromMs, sinceMs) }))
  return {
    histories: groups
      .map((group) => heatMap(group, maxRows))
      .sort((a, b) => a.coveredShare - b.coveredShare),
    snapshots: snapshotMap(snapshots, nowMs),
  }
}

/** One row for each dataset and `every`, over all entities. A day shows the worst of them. */
function snapshotMap(intervals: readonly WantedInterval[], nowMs: number): HeatMap | null {
  const endOfTodayMs = Math.floor(nowMs / DAY_MS) * DAY_MS + DAY_MS
  const clipped = intervals
    .map((one) => ({
      ...one,
      toMs: Math.min(one.toMs, endOfTodayMs),
      entity: `${one.dataset} ${one.granularity}`.trim(),
      vsCurrency: '',
      granularity: '' as const,
    }))
    .filter(({ fromMs, toMs }) => fromMs < toMs)
  if (clipped.length === 0) return null
  const map = heatMap(clipped, Infinity, endOfTodayMs - LEAST_SNAPSHOT_DAYS * DAY_MS)
  const rows = map.rows.toSorted((a, b) => a.name.localeCompare(b.name))
  return { ...map, dataset: 'snapshots', rows }
}

const AS_WANTED: Readonly<Record<string, WantedState>> = {
  verified: 'verified',
  empty: 'empty',
  provisional: 'provisional',
  failed: 'missing',
  unreachable: 'unreachable',
}

/** Intervals of the ledger: all, or those of some datasets that end after a moment. */
async function knownIntervals(
  ledger: Pick<OpenLedger, 'rows'>,
  only?: { names: readonly string[]; sinceMs: number },
): Promise<WantedInterval[]> {
  const where =
    only === undefined
      ? ''
      : `WHERE dataset IN (${only.names.map(quoteText).join(', ')})
           AND to_at > make_timestamptz(${only.sinceMs * 1000})`
  const rows = await ledger.rows<Slice & { state: string; reason?: WantedInterval['reason'] }>(
    // An older publication has no column `reason`.
    `SELECT * EXCLUDE (from_at, to_at, vs_currency), vs_currency AS vsCurrency, epoch_ms(from_at) AS fromMs,
       epoch_ms(to_at) AS toMs
     FROM _coverage ${where} ORDER BY ALL`,
  )
  return rows.map(({ reason, ...row }) => {
    const state = AS_WANTED[row.state] ?? 'missing'
    return { ...row, state, reason: state === 'missing' ? 'failed' : (reason ?? null), rows: 0 }
  })
}
