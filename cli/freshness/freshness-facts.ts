import { DAY_MS } from '../../config/values/duration.ts'
import { isOfBuckets } from '../../datasets/request/buckets.ts'
import { GRANULARITY_MS } from '../../api/granularity.ts'
import type { Config } from '../../config/config.ts'
import { namesMean, orderLabel } from '../../config/order-label.ts'
import { scheduleWindows } from '../../config/schedule-windows.ts'
import type { DatasetOrder } from '../../config/settings/read-order.ts'
import type { ScheduleConfig } from '../../config/settings/read-schedules.ts'
import type { Dataset, TableSpec } from '../../datasets/dataset.ts'
import { datasets } from '../../datasets/index.ts'
import { quoteName, quoteText } from '../../datasets/table/ddl.ts'
import type { OpenLedger } from '../ledger/open-ledger.ts'
import { everyOf } from '../../plan/every.ts'
import { zoneOffsets } from '../query/instant-text.ts'
import { idsOf, orderConditions } from './order-conditions.ts'

export interface Freshness {
  dataset: string
  /** `market_chart`, or `market_chart/hourly` where the order has a name. */
  order: string
  granularity: string
  /** ISO; end of a candle, time of a point, moment of a snapshot; null = there is no point. */
  newestAt: string | null
  /** From the newest point to now, or to an earlier end of the order. */
  ageMs: number | null
  /** A greater age is stale. */
  allowedMs: number
  /** Whether `freshness:` sets `allowedMs`; false = it is the default. */
  isTarget: boolean
  /** The time from which it is stale without a newer point, ISO; null = there is no point. */
  staleSince: string | null
  /**
   * - `ended`: the order has its last point, and its end is in the past
   * - `none`: nothing is there
   * - `empty`: nothing is there, because the source has nothing
   */
  state: 'fresh' | 'stale' | 'ended' | 'none' | 'empty'
}

/** Whether an alert is due: the data are stale, or `freshness:` expects data and there are none. */
export function needsAlert({ state, isTarget }: Freshness): boolean {
  return state === 'stale' || ((state === 'none' || state === 'empty') && isTarget)
}

/** Whether `status --check` fails: the data are stale, or none are published. */
export function failsCheck(one: Freshness): boolean {
  return one.state === 'none' || needsAlert(one)
}

/** Without a schedule, one run a day is expected. */
const WITHOUT_SCHEDULE_MS = DAY_MS
/** A point counts as missing this long after the source could have it. */
const GRACE_MS = GRANULARITY_MS['1h']

/**
 * How fresh each configured order is. The setting `freshness:` replaces these defaults:
 *
 * - A series is stale an hour after the first window in which the source has its next point.
 * - A snapshot is stale at twice its bucket, or twice the time between two windows of its schedule.
 *
 * @param query runs SQL on the publication, or on the store
 */
export async function freshnessFacts(
  query: OpenLedger['rows'],
  { config, nowMs }: { config: Config; nowMs: number },
): Promise<Freshness[]> {
  const found: Freshness[] = []
  // A publication of an older coinlake has no table of newer datasets.
  const rows = await query(
    `SELECT table_name, bool_or(column_name = 'is_moving') AS has_moving
     FROM information_schema.columns GROUP BY table_name`,
  )
  const tables = new Map(rows.map((row) => [String(row['table_name']), row['has_moving'] === true]))
  for (const wanted of config.datasets) {
    const dataset = datasets.find(({ name }) => name === wanted.dataset)
    if (dataset === undefined) continue
    const order = orderLabel(wanted)
    const { granularity, everyMs, toMs } = wanted
    const newestMs = await newestOf(query, tables, dataset, wanted, config.datasets)
    const endMs = Math.min(nowMs, toMs ?? nowMs)
    const stepMs = granularity === '' ? everyMs || DAY_MS : GRANULARITY_MS[granularity]
    const targetMs = config.freshness[order] ?? config.freshness[dataset.name]
    const allowedMs = targetMs ?? defaultAllowedMs(config, wanted, dataset, stepMs)
    const ageMs = newestMs === null ? null : Math.max(0, endMs - newestMs)
    const isEnded = toMs !== null && toMs <= nowMs
    let state: Freshness['state'] = 'none'
    if (ageMs !== null) state = ageMs > allowedMs ? 'stale' : isEnded ? 'ended' : 'fresh'
    else if (await isEmptyAtSource(query, tables, wanted)) state = 'empty'
    found.push({
      dataset: dataset.name,
      order,
      granularity,
      newestAt: newestMs === null ? null : new Date(newestMs).toISOString(),
      ageMs,
      allowedMs,
      isTarget: targetMs !== undefined,
      staleSince: newestMs === null ? null : new Date(newestMs + allowedMs).toISOString(),
      state,
    })
  }
  return found
}

/** The tables that exist, and whether each has the column `is_moving`. */
type TablesFound = ReadonlyMap<string, boolean>

async function newestOf(
  query: OpenLedger['rows'],
  tables: TablesFound,
  dataset: Dataset,
  wanted: DatasetOrder,
  orders: readonly DatasetOrder[],
): Promise<number | null> {
  const spec = timedTable(dataset)
  if (!tables.has(spec.name)) return null
  const time = newestColumn(dataset)
  const conditions = [
    ...(hasColumn(spec, 'granularity') ? [`granularity = ${quoteText(wanted.granularity)}`] : []),
    ...(tables.get(spec.name) === true ? ['NOT is_moving'] : []),
    ...orderConditions(wanted, orders, spec, dataset),
  ]
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const [row] = await query(
    `SELECT epoch_ms(max(${quoteName(time)})) AS newest_ms FROM ${quoteName(spec.name)} ${where}`,
  )
  const ms = row?.['newest_ms']
  return ms === null || ms === undefined ? null : Number(ms)
}

/** Whether the published ledger has answers without rows for an order. A Parquet tree has no ledger. */
async function isEmptyAtSource(
  query: OpenLedger['rows'],
  tables: TablesFound,
  order: DatasetOrder,
): Promise<boolean> {
  if (!tables.has('_slices')) return false
  const { dataset, granularity } = order
  // For slices of snapshots the column has their `every`.
  const step = granularity === '' ? everyOf(order) : granularity
  const ids = idsOf(order).map(quoteText).join(', ')
  const ofOrder = ids === '' ? '' : `AND list_has_any(string_split(entity, ','), [${ids}])`
  const found = await query(
    `SELECT 1 AS one FROM _slices WHERE state = 'empty' AND dataset = ${quoteText(dataset)}
     AND granularity = ${quoteText(step)} ${ofOrder} LIMIT 1`,
  )
  return found.length > 0
}

/** The table whose newest row shows how fresh a dataset is. */
export function timedTable({ tables }: Dataset): TableSpec {
  return tables.find(({ monthBy }) => monthBy !== null) ?? tables[0]!
}

/** The time column of that table. A candle is as new as its end; a catalogue has no time of its own. */
export function newestColumn(dataset: Dataset): string {
  const spec = timedTable(dataset)
  if (hasColumn(spec, 'close_at')) return 'close_at'
  return spec.monthBy ?? (dataset.kind === 'catalogue' ? 'last_seen_at' : 'fetched_at')
}

function hasColumn({ columns }: TableSpec, name: string): boolean {
  return columns.some((column) => column.name === name)
}

function defaultAllowedMs(
  { schedules }: Config,
  order: DatasetOrder,
  dataset: Dataset,
  stepMs: number,
): number {
  const { granularity } = order
  const own = Object.values(schedules).filter(
    ({ datasets }) => datasets === null || namesMean(datasets, order),
  )
  if (isOfBuckets(dataset)) {
    const waits = own.map((one) => snapshotAllowedMs(one, stepMs))
    return waits.length === 0 ? Math.max(2 * stepMs, WITHOUT_SCHEDULE_MS) : Math.min(...waits)
  }
  const lateMs = dataset.lateMs(granularity)
  // The time of a candle is its end, at which the next one begins.
  const nextMs = (newestColumn(dataset) === 'close_at' ? 0 : stepMs) + lateMs
  const byHandMs = Math.max(0, WITHOUT_SCHEDULE_MS - stepMs)
  const waits = own.map((one) => longestWaitMs(one, stepMs, lateMs) + one.jitterMs)
  return nextMs + (waits.length === 0 ? byHandMs : Math.min(...waits)) + GRACE_MS
}

/**
 * The greatest age at which a snapshot counts as fresh: twice its bucket, or twice a longer gap between windows. The
 * longest time from the begin of a bucket to its window is added.
 */
function snapshotAllowedMs({ times, jitterMs }: ScheduleConfig, stepMs: number): number {
  const { longestGapMs, beginsMs } = scheduleWindows(times)
  const periodMs = Math.min(stepMs, longestGapMs)
  const latenessMs = Math.max(...beginsMs.map((ms) => ms % periodMs)) + jitterMs
  return 2 * Math.max(stepMs, longestGapMs) + latenessMs
}

/**
 * The longest time from a new point at the source to the next window. If the windows do not come at the same times of
 * each day, the longest gap between windows is returned, as an upper bound.
 */
function longestWaitMs(
  { times, timeZone }: ScheduleConfig,
  stepMs: number,
  lateMs: number,
): number {
  const { longestGapMs, beginsMs } = scheduleWindows(times)
  const isInterval = times.kind === 'interval'
  if (longestGapMs > DAY_MS || (isInterval && DAY_MS % longestGapMs !== 0)) return longestGapMs
  const windows = isInterval
    ? Array.from({ length: DAY_MS / longestGapMs }, (_, at) => beginsMs[0]! + at * longestGapMs)
    : beginsMs
  const offsets = isInterval ? [0] : MIDS_OF_SEASONS.map(zoneOffsets(timeZone))
  const steps = Array.from({ length: Math.max(1, DAY_MS / stepMs) }, (_, at) => at * stepMs)
  const waits = offsets.flatMap((offsetMs) =>
    steps.map((ms) =>
      Math.min(...windows.map((window) => floorMod(window - offsetMs - ms - lateMs, DAY_MS))),
    ),
  )
  return Math.max(...waits)
}

/** A moment of winter time and one of summer time. */
const MIDS_OF_SEASONS = [Date.UTC(2024, 0, 15), Date.UTC(2024, 6, 15)]

function floorMod(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus
}
