import { DAY_MS, GRANULARITY_MS } from '../../../api/granularity.ts'
import type { Config } from '../../../config/config.ts'
import { scheduleWindows } from '../../../config/schedule-windows.ts'
import type { ScheduleConfig } from '../../../config/schedule.ts'
import type { Dataset, Granularity, TableSpec } from '../../../datasets/dataset.ts'
import { quoteName, quoteText } from '../../../datasets/ddl.ts'
import type { OpenLedger } from '../../ledger/open-ledger.ts'

/** How new the newest point of a dataset is. */
export interface Freshness {
  dataset: string
  granularity: string
  /** ISO; end of a candle, time of a point, moment of a snapshot; null = there is none. */
  newestAt: string | null
  /** From the newest point to now, or to the end that is asked for where that is earlier. */
  ageMs: number | null
  /** More than this is stale. */
  allowedMs: number
  /** Whether the configuration says so (`freshness:`), or it is the usual. */
  isTarget: boolean
  /** When it became stale, or will without a newer point, ISO; null = there is no point. */
  staleSince: string | null
  /** ended: a history whose end is in the past, and that has it; empty: asked for, and the source has none. */
  state: 'fresh' | 'stale' | 'ended' | 'none' | 'empty'
}

/** Whether somebody should be told: it is older than it may be, or is to be fresh and has nothing. */
export function isOld({ state, isTarget }: Freshness): boolean {
  return state === 'stale' || ((state === 'none' || state === 'empty') && isTarget)
}

/** Whether a health check fails: it is old, or there is nothing of it that anybody could read. */
export function isUnfit(one: Freshness): boolean {
  return one.state === 'none' || isOld(one)
}

/** Who exports by hand does so once a day, at most. */
const WITHOUT_SCHEDULE_MS = DAY_MS

/**
 * The newest point of each configured dataset. A point may be twice its own step old, or wait twice as long
 * as its schedule takes to come again (a day without one), and is late by what every run leaves out (lagMs).
 * What `freshness:` says goes before that.
 *
 * @param tables rows of the tables of the datasets
 */
export async function freshnessFacts(
  tables: OpenLedger['rows'],
  { config, datasets, nowMs }: { config: Config; datasets: readonly Dataset[]; nowMs: number },
): Promise<Freshness[]> {
  const found: Freshness[] = []
  // What an older coinlake published has no table of what came since.
  const rows = await tables('SELECT table_name FROM information_schema.tables')
  const there = new Set(rows.map((row) => String(row['table_name'])))
  for (const wanted of Object.values(config.datasets)) {
    const dataset = datasets.find(({ name }) => name === wanted.name)
    if (dataset === undefined) continue
    const { granularity, everyMs, toMs } = wanted
    const newestMs = await newestOf(tables, there, dataset, granularity)
    const endMs = Math.min(nowMs, toMs ?? nowMs)
    const stepMs = granularity === '' ? everyMs || DAY_MS : GRANULARITY_MS[granularity]
    const targetMs = config.freshness[dataset.name]
    const allowedMs =
      targetMs ?? waitMs(config, dataset.name, stepMs) + lagMs(dataset, granularity, stepMs)
    const ageMs = newestMs === null ? null : Math.max(0, endMs - newestMs)
    const isEnded = toMs !== null && toMs <= nowMs
    let state: Freshness['state'] = 'none'
    if (ageMs !== null) state = ageMs > allowedMs ? 'stale' : isEnded ? 'ended' : 'fresh'
    else if (await isEmptyAtSource(tables, there, dataset.name)) state = 'empty'
    found.push({
      dataset: dataset.name,
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
  tables: OpenLedger['rows'],
  there: ReadonlySet<string>,
  dataset: Dataset,
  granularity: Granularity | '',
): Promise<number | null> {
  const spec = timedTable(dataset)
  if (!there.has(spec.name)) return null
  const time = newestColumn(dataset)
  const where = hasColumn(spec, 'granularity')
    ? `WHERE granularity = ${quoteText(granularity)}`
    : ''
  const [row] = await tables(
    `SELECT epoch_ms(max(${quoteName(time)})) AS newest_ms FROM ${quoteName(spec.name)} ${where}`,
  )
  const ms = row?.['newest_ms']
  return ms === null || ms === undefined ? null : Number(ms)
}

/** Whether the ledger, where it is published, has answers without rows; a Parquet tree alone has none. */
async function isEmptyAtSource(
  tables: OpenLedger['rows'],
  there: ReadonlySet<string>,
  dataset: string,
): Promise<boolean> {
  if (!there.has('_slices')) return false
  const found = await tables(
    `SELECT 1 AS one FROM _slices WHERE dataset = ${quoteText(dataset)} AND state = 'empty' LIMIT 1`,
  )
  return found.length > 0
}

function timedTable({ tables }: Dataset): TableSpec {
  return tables.find(({ monthBy }) => monthBy !== null) ?? tables[0]!
}

/** A candle is as new as its end; a catalogue has no time of its own. */
function newestColumn(dataset: Dataset): string {
  const spec = timedTable(dataset)
  if (hasColumn(spec, 'close_at')) return 'close_at'
  return spec.monthBy ?? (dataset.kind === 'catalogue' ? 'last_seen_at' : 'fetched_at')
}

function hasColumn({ columns }: TableSpec, name: string): boolean {
  return columns.some((column) => column.name === name)
}

/** How old points may become between runs: two steps, or two times the schedule that comes soonest. */
function waitMs({ schedules }: Config, dataset: string, stepMs: number): number {
  const waits = Object.values(schedules)
    .filter(({ datasets }) => datasets === null || datasets.includes(dataset))
    .map((one) => waitForMs(one, stepMs))
  return waits.length === 0 ? Math.max(2 * stepMs, WITHOUT_SCHEDULE_MS) : Math.min(...waits)
}

/** A window begins after a full step of the data: by its offset or time of day, and by chance. */
function waitForMs({ times, jitterMs }: ScheduleConfig, stepMs: number): number {
  const { longestGapMs, beginsMs } = scheduleWindows(times)
  const aroundMs = Math.min(stepMs, longestGapMs)
  const latenessMs = Math.max(...beginsMs.map((ms) => ms % aroundMs)) + jitterMs
  return 2 * Math.max(stepMs, longestGapMs) + latenessMs
}

/**
 * How old the newest point of a series is right after a run at a full step: what has not settled is not
 * asked for (plan/plan-slices.ts), and a point is named by the start of its step, but a candle by its end.
 */
function lagMs(dataset: Dataset, granularity: Granularity | '', stepMs: number): number {
  if (dataset.kind === 'snapshot' || dataset.kind === 'catalogue') return 0
  const isNamedByEnd = newestColumn(dataset) === 'close_at'
  return dataset.settleMs(granularity) + (isNamedByEnd ? 0 : stepMs)
}
