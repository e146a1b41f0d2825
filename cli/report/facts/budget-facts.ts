import { DAY_MS, MINUTE_MS } from '../../../config/values/duration.ts'
import { PAGELESS_CODES } from '../../../activities/fetch/lost-requests.ts'
import type { Config } from '../../../config/config.ts'
import { quoteText } from '../../../datasets/table/ddl.ts'
import { ledgerReader } from '../../../sinks/duckdb-store/ledger/ledger-reader.ts'
import { isoSql, type OpenLedger } from '../../ledger/open-ledger.ts'
import { keyMonths, type KeyMonth } from '../../run/key-months.ts'

export interface BudgetFacts {
  /** Physical requests, repetitions included. */
  calls: number
  /** Calls refused with 429. */
  throttled: number
  /** Calls that brought no page for other reasons. */
  failed: number
  /** Length of a bin. */
  binMs: number
  /** The calls over time: bins with at least one call, in order; `at` = start, ISO. */
  over: { at: string; good: number; throttled: number; failed: number }[]
  /** Most calls within one clock minute; null without calls. */
  busiestMinute: { at: string; calls: number } | null
  /** The rate of the configuration or the profile; null = learned from headers. */
  rate: { calls: number; perMs: number } | null
  months: KeyMonth[]
}

const BINS_MS = [1_000, 10_000, MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS, 6 * 60 * MINUTE_MS]
/** Enough bars for a chart; more would be thinner than a hair. */
const MAX_BINS = 90
/** The ledger's code for a 429 in status or body. */
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
  const served = Object.values(PAGELESS_CODES).map(quoteText).join(', ')
  const over = await ledger.rows<BudgetFacts['over'][number]>(
    `SELECT ${startSql(binMs)} AS "at",
       coalesce(sum(calls) FILTER (code IS NULL OR code IN (${served})), 0) AS good,
       coalesce(sum(calls) FILTER (code = '${THROTTLED}'), 0) AS throttled,
       coalesce(sum(calls) FILTER (code NOT IN ('${THROTTLED}', ${served})), 0) AS failed
     FROM _requests ${where} GROUP BY "at" ORDER BY "at"`,
  )
  const [busiest] = await ledger.rows<NonNullable<BudgetFacts['busiestMinute']>>(
    `SELECT ${startSql(MINUTE_MS)} AS "at", sum(calls) AS calls
     FROM _requests ${where} GROUP BY "at" ORDER BY calls DESC, "at" LIMIT 1`,
  )
  const sum = (kind: 'good' | 'throttled' | 'failed'): number =>
    over.reduce((total, one) => total + one[kind], 0)
  const [throttled, failed] = [sum('throttled'), sum('failed')]
  return {
    calls: sum('good') + throttled + failed,
    throttled,
    failed,
    binMs,
    over,
    busiestMinute: busiest ?? null,
    rate: config.source.rate,
    months: await keyMonths(config, ledgerReader({ reader: ledger }).callsSince),
  }
}

/** SQL for the ISO start of a request's bin. */
function startSql(binMs: number): string {
  return isoSql(`make_timestamptz((epoch_ms(requested_at) // ${binMs}) * ${binMs * 1000})`)
}

/** The shortest bin that gives at most MAX_BINS; for long times whole days. */
function binFor(spanMs: number): number {
  const short = BINS_MS.find((binMs) => spanMs / binMs <= MAX_BINS)
  return short ?? DAY_MS * Math.max(1, Math.ceil(spanMs / DAY_MS / MAX_BINS))
}
