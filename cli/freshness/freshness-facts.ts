import { DAY_MS, GRANULARITY_MS } from '../../api/granularity.ts'
import type { Config } from '../../config/config.ts'
import { isNamedBy, orderLabel } from '../../config/order-label.ts'
import { scheduleWindows } from '../../config/schedule-windows.ts'
import type { DatasetOrder } from '../../config/settings/read-order.ts'
import type { ScheduleConfig } from '../../config/settings/read-schedules.ts'
import type { Dataset, TableSpec } from '../../datasets/dataset.ts'
import { quoteName, quoteText } from '../../datasets/table/ddl.ts'
import type { OpenLedger } from '../ledger/open-ledger.ts'
import { everyOf } from '../../plan/every.ts'
import { idsOf, orderRows } from './order-rows.ts'

/** How new the newest point of a dataset is. */
export interface Freshness {
  dataset: string
  /** `market_chart`, or `market_chart/hourly` where the order has a name. */
  order: string
  granularity: string
  /** ISO; end of a candle, time of a point, moment of a snapshot; null = there is none. */
  newestAt: string | null
  /** From the newest point to now, or to the end that is asked for where that is earlier. */
  ageMs: number | null
  /** More than this is stale. */
  allowedMs: number
  /** true = `allowedMs` is set by `freshness:`; false = it is the default. */
  isTarget: boolean
  /** When it became stale, or will without a newer point, ISO; null = there is no point. */
  staleSince: string | null
  /** ended: a history whose end is in the past, and that has it; empty: asked for, and the source has none. */
  state: 'fresh' | 'stale' | 'ended' | 'none' | 'empty'
}

/** Whether it deserves an alert: it is older than allowed, or should be fresh and has nothing. */
export function needsAlert({ state, isTarget }: Freshness): boolean {
  return state === 'stale' || ((state === 'none' || state === 'empty') && isTarget)
}

/** Whether a health check fails: it is old, or there is nothing of it that anybody could read. */
export function isUnfit(one: Freshness): boolean {
  return one.state === 'none' || needsAlert(one)
}

/** An export by hand runs once a day at most. */
const WITHOUT_SCHEDULE_MS = DAY_MS
/** A point counts as missing this long after the source could have it. */
const GRACE_MS = GRANULARITY_MS['1h']

/**
 * The newest point of each configured order. A series is stale an hour after the first window in which the source has
 * its next point; a snapshot when it is twice as old as its bucket, or as the time between two windows of its
 * schedule. Without a schedule one run a day is assumed. The setting `freshness:` overrides both.
 *
 * @param query rows of the tables of the datasets
 */
export async function freshnessFacts(
  query: OpenLedger['rows'],
  { config, datasets, nowMs }: { config: Config; datasets: readonly Dataset[]; nowMs: number },
): Promise<Freshness[]> {
  const found: Freshness[] = []
  // A publication of an older coinlake has no table of newer datasets.
  const rows = await query(
    `SELECT table_name, bool_or(column_name = 'is_moving') AS has_moving
     FROM information_schema.columns GROUP BY table_name`,
  )
  const there = new Map(rows.map((row) => [String(row['table_name']), row['has_moving'] === true]))
  for (const wanted of config.datasets) {
    const dataset = datasets.find(({ name }) => name === wanted.dataset)
    if (dataset === undefined) continue
    const order = orderLabel(wanted)
    const { granularity, everyMs, toMs } = wanted
    const newestMs = await newestOf(query, there, dataset, wanted, config.datasets)
    const endMs = Math.min(nowMs, toMs ?? nowMs)
    const stepMs = granularity === '' ? everyMs || DAY_MS : GRANULARITY_MS[granularity]
    const targetMs = config.freshness[order] ?? config.freshness[dataset.name]
    const allowedMs = targetMs ?? usualMs(config, wanted, dataset, stepMs)
    const ageMs = newestMs === null ? null : Math.max(0, endMs - newestMs)
    const isEnded = toMs !== null && toMs <= nowMs
    let state: Freshness['state'] = 'none'
    if (ageMs !== null) state = ageMs > allowedMs ? 'stale' : isEnded ? 'ended' : 'fresh'
    else if (await isEmptyAtSource(query, there, wanted)) state = 'empty'
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

async function newestOf(
  query: OpenLedger['rows'],
  there: ReadonlyMap<string, boolean>,
  dataset: Dataset,
  wanted: DatasetOrder,
  orders: readonly DatasetOrder[],
): Promise<number | null> {
  const spec = timedTable(dataset)
  if (!there.has(spec.name)) return null
  const time = newestColumn(dataset)
  const conditions = [
    ...(hasColumn(spec, 'granularity') ? [`granularity = ${quoteText(wanted.granularity)}`] : []),
    ...(there.get(spec.name) === true ? ['NOT is_moving'] : []),
    ...orderRows(wanted, orders, spec, dataset),
  ]
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const [row] = await query(
    `SELECT epoch_ms(max(${quoteName(time)})) AS newest_ms FROM ${quoteName(spec.name)} ${where}`,
  )
  const ms = row?.['newest_ms']
  return ms === null || ms === undefined ? null : Number(ms)
}

/** Whether the ledger, where it is published, has answers without rows for an order; a Parquet tree alone has none. */
async function isEmptyAtSource(
  query: OpenLedger['rows'],
  there: ReadonlyMap<string, boolean>,
  order: DatasetOrder,
): Promise<boolean> {
  if (!there.has('_slices')) return false
  const { dataset, granularity } = order
  // Slices of snapshots have their `every` there.
  const step = granularity === '' ? everyOf(order) : granularity
  const ids = idsOf(order).map(quoteText).join(', ')
  const isOwn = ids === '' ? '' : `AND list_has_any(string_split(entity, ','), [${ids}])`
  const found = await query(
    `SELECT 1 AS one FROM _slices WHERE state = 'empty' AND dataset = ${quoteText(dataset)}
     AND granularity = ${quoteText(step)} ${isOwn} LIMIT 1`,
  )
  return found.length > 0
}

/** The table whose newest row says how fresh a dataset is. */
export function timedTable({ tables }: Dataset): TableSpec {
  return tables.find(({ monthBy }) => monthBy !== null) ?? tables[0]!
}

/** Its time: a candle is as new as its end; a catalogue has no time of its own. */
export function newestColumn(dataset: Dataset): string {
  const spec = timedTable(dataset)
  if (hasColumn(spec, 'close_at')) return 'close_at'
  return spec.monthBy ?? (dataset.kind === 'catalogue' ? 'last_seen_at' : 'fetched_at')
}

function hasColumn({ columns }: TableSpec, name: string): boolean {
  return columns.some((column) => column.name === name)
}

/** How old the newest point may be where `freshness:` says nothing. */
function usualMs(
  { schedules }: Config,
  order: DatasetOrder,
  dataset: Dataset,
  stepMs: number,
): number {
  const { granularity } = order
  const own = Object.values(schedules).filter(
    ({ datasets }) => datasets === null || isNamedBy(datasets, order),
  )
  if (dataset.kind === 'snapshot' || dataset.kind === 'catalogue') {
    const waits = own.map((one) => twiceMs(one, stepMs))
    return waits.length === 0 ? Math.max(2 * stepMs, WITHOUT_SCHEDULE_MS) : Math.min(...waits)
  }
  const lateMs = dataset.lateMs(granularity)
  // A candle is named by its end, which is where the next one begins.
  const nextMs = (newestColumn(dataset) === 'close_at' ? 0 : stepMs) + lateMs
  const byHandMs = Math.max(0, WITHOUT_SCHEDULE_MS - stepMs)
  const waits = own.map((one) => longestWaitMs(one, stepMs, lateMs) + one.jitterMs)
  return nextMs + (waits.length === 0 ? byHandMs : Math.min(...waits)) + GRACE_MS
}

/**
 * Twice the bucket or the gap between windows, whichever is longer, plus the most by which a window begins after its
 * bucket does: its offset or time of day, and jitter.
 */
function twiceMs({ times, jitterMs }: ScheduleConfig, stepMs: number): number {
  const { longestGapMs, beginsMs } = scheduleWindows(times)
  const aroundMs = Math.min(stepMs, longestGapMs)
  const latenessMs = Math.max(...beginsMs.map((ms) => ms % aroundMs)) + jitterMs
  return 2 * Math.max(stepMs, longestGapMs) + latenessMs
}

/**
 * The longest time from when the source has a step's point to the next window. Where windows do not repeat daily, this
 * is the longest gap between two.
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
  const offsets = isInterval ? [0] : MIDS_OF_SEASONS.map((ms) => zoneOffsetMs(timeZone, ms))
  const steps = Array.from({ length: Math.max(1, DAY_MS / stepMs) }, (_, at) => at * stepMs)
  const waits = offsets.flatMap((offsetMs) =>
    steps.map((ms) =>
      Math.min(...windows.map((window) => floorMod(window - offsetMs - ms - lateMs, DAY_MS))),
    ),
  )
  return Math.max(...waits)
}

/** One each of winter and summer time. */
const MIDS_OF_SEASONS = [Date.UTC(2024, 0, 15), Date.UTC(2024, 6, 15)]

/** How far the clocks of a zone are ahead of UTC. */
function zoneOffsetMs(timeZone: string, atMs: number): number {
  // Swedish writes a time as ISO does.
  return Date.parse(`${new Date(atMs).toLocaleString('sv', { timeZone })}Z`) - atMs
}

function floorMod(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus
}
