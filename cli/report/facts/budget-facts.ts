import { SERVED_CODES } from '../../../activities/fetch/lost-requests.ts'
import type { Config } from '../../../config/config.ts'
import { quoteText } from '../../../datasets/table/ddl.ts'
import type { OpenLedger } from '../../ledger/open-ledger.ts'
import { keyMonths, type KeyMonth } from '../../run/key-months.ts'

export interface BudgetFacts {
  /** Physical requests, repetitions included. */
  calls: number
  /** Calls refused with 429. */
  throttled: number
  /** Calls that brought no page for other reasons. */
  failed: number
  /** Length of a bin of `over`. */
  binMs: number
  /** Bins with at least one call, in order; `at` = start, ISO. */
  over: { at: string; good: number; throttled: number; failed: number }[]
  /** Most calls within one clock minute; null without calls. */
  busiestMinute: { at: string; calls: number } | null
  /** The rate of the configuration or the profile; null = learned from headers. */
  rate: { calls: number; perMs: number } | null
  months: KeyMonth[]
}

const MINUTE_MS = 60_000
const BINS_MS = [1_000, 10_000, MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS, 6 * 60 * MINUTE_MS]
const DAY_MS = 86_400_000
/** Enough bars for a chart; more would be thinner than a hair. */
const MAX_BINS = 90
/** Code in the ledger of a 429, by status or in the body. */
const THROTTLED = 'THROTTLED'

/** Reads `_requests`, of one run or of all (`runId` null), and the counts of the months. */
export async function budgetFacts(
  ledger: Pick<OpenLedger, 'rows'>,
  config: Config,
  runId: string | null,
): Promise<BudgetFacts> {
  const where = runId === null ? '' : `WHERE run_id = ${quoteText(runId)}`
  const [span] = await ledger.rows(
    `SELECT epoch_ms(min(requested_at)) AS first_ms, epoch_ms(max(requested_at)) AS last_ms
     FROM _requests ${where}`,
  )
  const spanMs = Number(span?.['last_ms'] ?? 0) - Number(span?.['first_ms'] ?? 0)
  const binMs = binFor(spanMs)
  const served = Object.values(SERVED_CODES).map(quoteText).join(', ')
  const bins = await ledger.rows(
    `SELECT epoch_ms(requested_at) // ${binMs} AS bin,
       sum(calls) FILTER (code IS NULL OR code IN (${served})) AS good,
       sum(calls) FILTER (code = '${THROTTLED}') AS throttled,
       sum(calls) FILTER (code NOT IN ('${THROTTLED}', ${served})) AS failed
     FROM _requests ${where} GROUP BY bin ORDER BY bin`,
  )
  const [busiest] = await ledger.rows(
    `SELECT epoch_ms(requested_at) // ${MINUTE_MS} AS minute, sum(calls) AS calls
     FROM _requests ${where} GROUP BY minute ORDER BY calls DESC, minute LIMIT 1`,
  )
  const over = bins.map((row) => ({
    at: new Date(Number(row['bin']) * binMs).toISOString(),
    good: Number(row['good'] ?? 0),
    throttled: Number(row['throttled'] ?? 0),
    failed: Number(row['failed'] ?? 0),
  }))
  const sum = (pick: (one: (typeof over)[number]) => number): number =>
    over.reduce((total, one) => total + pick(one), 0)
  const [throttled, failed] = [sum((one) => one.throttled), sum((one) => one.failed)]
  return {
    calls: sum((one) => one.good) + throttled + failed,
    throttled,
    failed,
    binMs,
    over,
    busiestMinute:
      busiest === undefined
        ? null
        : {
            at: new Date(Number(busiest['minute']) * MINUTE_MS).toISOString(),
            calls: Number(busiest['calls']),
          },
    rate: config.source.rate,
    months: await keyMonths(config, (sinceMs) => callsSince(ledger, sinceMs)),
  }
}

async function callsSince(ledger: Pick<OpenLedger, 'rows'>, sinceMs: number): Promise<number> {
  const [row] = await ledger.rows(
    `SELECT coalesce(sum(calls), 0) AS calls FROM _requests WHERE requested_at >= make_timestamptz(${sinceMs * 1000})`,
  )
  return Number(row?.['calls'] ?? 0)
}

/** The shortest bin that gives at most MAX_BINS; for long times whole days. */
function binFor(spanMs: number): number {
  const short = BINS_MS.find((binMs) => spanMs / binMs <= MAX_BINS)
  return short ?? DAY_MS * Math.max(1, Math.ceil(spanMs / DAY_MS / MAX_BINS))
}
