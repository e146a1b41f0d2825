import { absentees, newFailures } from '../../../activities/absentees.ts'
import type { RunReport, Verdict } from '../../../activities/run-report.ts'
import { withoutGone } from '../../../activities/gone-slices.ts'
import { sumSlices } from '../../../activities/sum-slices.ts'
import { quoteText } from '../../../datasets/ddl.ts'
import type { Unreachable } from '../../../plan/plan-slices.ts'
import { type UnreachableHistory, unreachableHistory } from '../../../plan/unreachable-history.ts'
import { sliceOf } from '../../../sinks/duckdb-store/slice-rows.ts'
import { absenceOf, runAbsencesSql } from '../../../sinks/ledger/absences.ts'
import type { FailedSlice } from '../../../sinks/store.ts'
import type { OpenLedger } from '../../ledger/open-ledger.ts'

/**
 * The report of a run that has ended (null: the last one) as far as the ledger knows it: of a published
 * file that was copied away, for one, there are no reports. What ended a run early is not in the ledger.
 */
export async function ledgerRun(
  ledger: Pick<OpenLedger, 'rows'>,
  runId: string | null,
): Promise<RunReport | null> {
  const [run] = await ledger.rows(
    `SELECT run_id, order_id, verdict, epoch_ms(started_at) AS started_ms,
       epoch_ms(finished_at) AS finished_ms, coinlake_version
     FROM _runs WHERE verdict IS NOT NULL ${runId === null ? '' : `AND run_id = ${quoteText(runId)}`}
     ORDER BY started_at DESC, run_id DESC LIMIT 1`,
  )
  if (run === undefined) return null
  const ended = String(run['run_id'])
  const ofRun = `WHERE run_id = ${quoteText(ended)}`
  // As the run itself has reported it: what it found gone, and was told before, is no failure of it.
  const absences = (await ledger.rows(runAbsencesSql(ended))).map(absenceOf)
  const totals = await ledger.rows(
    `SELECT dataset, count(*) AS planned, count(*) FILTER (state = 'loaded') AS loaded,
       count(*) FILTER (state = 'provisional') AS provisional, count(*) FILTER (state = 'empty') AS empty,
       count(*) FILTER (state = 'failed') AS failed, count(*) FILTER (state = 'planned') AS missing,
       coalesce(sum(row_count), 0) AS rows, coalesce(sum(calls), 0) AS calls,
       coalesce(sum(quarantined), 0) AS quarantined
     FROM _slices ${ofRun} GROUP BY dataset ORDER BY min(ordinal)`,
  )
  const failures = async (limit: number): Promise<FailedSlice[]> => {
    const rows = await ledger.rows(
      `SELECT slice_id, dataset, entity, vs_currency, granularity, epoch_ms(from_at) AS from_ms,
         epoch_ms(to_at) AS to_ms, code, reason
       FROM _slices ${ofRun} AND state = 'failed' ORDER BY ordinal LIMIT ${limit}`,
    )
    return rows.map((row) => ({
      ...sliceOf(row),
      sliceId: String(row['slice_id']),
      code: String(row['code']),
      reason: String(row['reason']),
    }))
  }
  const [calls] = await ledger.rows(
    `SELECT coalesce(sum(calls), 0) AS calls FROM _requests ${ofRun}`,
  )
  const all = totals.map((row) => ({
    ...numbersOf(row),
    dataset: String(row['dataset']),
    outsideSlice: 0,
    duplicate: 0,
    moved: 0,
    unlisted: 0,
    unknownPaths: {},
  }))
  const datasets = withoutGone(all, absences)
  return {
    runId: ended,
    orderId: String(run['order_id']),
    verdict: String(run['verdict']) as Verdict,
    startedAt: new Date(Number(run['started_ms'])).toISOString(),
    finishedAt: new Date(Number(run['finished_ms'])).toISOString(),
    calls: Number(calls?.['calls'] ?? 0),
    rows: datasets.reduce((sum, { rows }) => sum + rows, 0),
    slices: sumSlices(datasets),
    datasets,
    failures: await newFailures(failures, absences),
    unreachable: await lastUnreachable(ledger, ended),
    publications: [],
    fatal: null,
    ...absentees(absences),
    coinlakeVersion: String(run['coinlake_version']),
  }
}

/** Of the run that noted it last: what older ones could not have is not kept. */
async function lastUnreachable(
  ledger: Pick<OpenLedger, 'rows'>,
  runId: string,
): Promise<UnreachableHistory> {
  const rows = await ledger.rows(
    `SELECT *, epoch_ms(from_at) AS from_ms, epoch_ms(to_at) AS to_ms
     FROM _coverage WHERE state = 'unreachable'
       AND ${quoteText(runId)} = (SELECT arg_max(run_id, started_at) FROM _runs WHERE verdict IS NOT NULL)
     ORDER BY ALL`,
  )
  return unreachableHistory(
    rows.map((row) => ({ ...sliceOf(row), reason: row['reason'] as Unreachable['reason'] })),
  )
}

const COUNTS = [
  'planned',
  'loaded',
  'provisional',
  'empty',
  'failed',
  'missing',
  'rows',
  'calls',
  'quarantined',
] as const

function numbersOf(row: Record<string, unknown>): Record<(typeof COUNTS)[number], number> {
  return Object.fromEntries(COUNTS.map((name) => [name, Number(row[name])])) as Record<
    (typeof COUNTS)[number],
    number
  >
}
