import { DAY_MS, GRANULARITY_MS } from '../../../api/granularity.ts'
import type { Config } from '../../../config/config.ts'
import type { Dataset, Granularity } from '../../../datasets/dataset.ts'
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
  /** ended: a history whose end is in the past, and that has it. */
  state: 'fresh' | 'stale' | 'ended' | 'none'
}

/** Whether somebody should be told: it is older than it may be, or is to be fresh and has nothing. */
export function isOld({ state, isTarget }: Freshness): boolean {
  return state === 'stale' || (state === 'none' && isTarget)
}

/** Who exports by hand does so once a day, at most. */
const WITHOUT_SCHEDULE_MS = DAY_MS
const WEEK_MS = 7 * DAY_MS

/**
 * The newest point of each configured dataset. A point may be twice its own step old, for it comes once a
 * step and settles; beside that it may wait for the next run: a day, or twice the interval of its schedule.
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
    const allowedMs = targetMs ?? Math.max(2 * stepMs, waitMs(config, dataset.name))
    const ageMs = newestMs === null ? null : Math.max(0, endMs - newestMs)
    const isEnded = toMs !== null && toMs <= nowMs
    let state: Freshness['state'] = 'none'
    if (ageMs !== null) state = ageMs > allowedMs ? 'stale' : isEnded ? 'ended' : 'fresh'
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
  { tables: specs, kind }: Dataset,
  granularity: Granularity | '',
): Promise<number | null> {
  const spec = specs.find(({ monthBy }) => monthBy !== null) ?? specs[0]!
  if (!there.has(spec.name)) return null
  const has = (name: string): boolean => spec.columns.some((column) => column.name === name)
  // A candle is as new as its end; a catalogue has no time of its own.
  const time = has('close_at')
    ? 'close_at'
    : (spec.monthBy ?? (kind === 'catalogue' ? 'last_seen_at' : 'fetched_at'))
  const where = has('granularity') ? `WHERE granularity = ${quoteText(granularity)}` : ''
  const [row] = await tables(
    `SELECT epoch_ms(max(${quoteName(time)})) AS newest_ms FROM ${quoteName(spec.name)} ${where}`,
  )
  const ms = row?.['newest_ms']
  return ms === null || ms === undefined ? null : Number(ms)
}

/** How long a dataset may wait for the next run. */
function waitMs({ schedules }: Config, dataset: string): number {
  const waits = Object.values(schedules)
    .filter(({ datasets }) => datasets === null || datasets.includes(dataset))
    .map(({ times }) => {
      if (times.kind === 'interval') return 2 * times.everyMs
      // Of a cron expression only that it is meant: a week covers what is usual.
      return times.kind === 'cron' || times.weekdays.length > 0 ? WEEK_MS : 2 * DAY_MS
    })
  return waits.length === 0 ? WITHOUT_SCHEDULE_MS : Math.min(...waits)
}
