import type { RunReport } from '../../activities/run-report.ts'
import { isoSql, type LedgerRows } from '../ledger/open-ledger.ts'
import { alignColumns } from '../render/align-columns.ts'
import { count, tookText } from '../render/quantities.ts'
import { utcMinute } from '../render/utc-text.ts'

/** A run of the ledger. Times are ISO. */
export interface LedgerRun {
  runId: string
  /** The schedule of its window, or `refetch`, `restore`, `by hand`; null = only a report tells of the run. */
  by: string | null
  startedAt: string
  /** null while it is open. */
  finishedAt: string | null
  /** complete, partial, failed, cancelled; `open` while it is open. */
  verdict: string
  calls: number
  rows: number
  failedSlices: number
}

/**
 * The newest runs. A good page that was requested before the run began is from the stage, and costs it no call. Failed
 * requests always count, also those that chose coins before the plan.
 */
export async function newestRuns(ledger: LedgerRows, limit: number): Promise<LedgerRun[]> {
  return await ledger.rows<LedgerRun>(
    `WITH run AS (FROM _runs ORDER BY started_at DESC, run_id DESC LIMIT $limit),
       called AS (SELECT run_id, sum(calls) AS calls FROM _requests JOIN run USING (run_id)
         WHERE code IS NOT NULL OR requested_at >= run.started_at GROUP BY ALL),
       sliced AS (SELECT run_id, sum(row_count) AS rows, count(*) FILTER (state = 'failed') AS slices
         FROM _slices SEMI JOIN run USING (run_id) GROUP BY ALL)
     SELECT run_id AS "runId", coalesce(schedule, purpose, 'by hand') AS by,
       ${isoSql('started_at')} AS "startedAt", ${isoSql('finished_at')} AS "finishedAt",
       coalesce(verdict, 'open') AS verdict, coalesce(calls, 0)::BIGINT AS calls,
       coalesce(rows, 0)::BIGINT AS rows, coalesce(slices, 0) AS "failedSlices"
     FROM run LEFT JOIN called USING (run_id) LEFT JOIN sliced USING (run_id)
     ORDER BY run.started_at DESC, run_id DESC`,
    { limit },
  )
}

/**
 * Adds, from their reports, the runs that a publication lacks: one that brought nothing is published with a later one.
 *
 * @param reports the newest first
 */
export function withReports(
  found: readonly LedgerRun[],
  reports: readonly RunReport[],
  limit: number,
): LedgerRun[] {
  const runs = new Map(found.map((run) => [run.runId, run]))
  for (const { runId, startedAt, finishedAt, verdict, calls, rows, slices } of reports) {
    const run = runs.get(runId)
    if (run !== undefined && run.verdict !== 'open') continue
    const { by = null, startedAt: plannedAt = startedAt } = run ?? {}
    const figures = { calls, rows, failedSlices: slices.failed }
    runs.set(runId, { runId, by, startedAt: plannedAt, finishedAt, verdict, ...figures })
  }
  return [...runs.values()].toSorted((a, b) => (a.runId < b.runId ? 1 : -1)).slice(0, limit)
}

export function runsText(found: readonly LedgerRun[]): string[] {
  if (found.length === 0) return ['nothing has run yet']
  return alignColumns(
    ['run', 'by', 'began', 'loaded in', 'ended', 'calls', 'rows', 'failed slices'],
    found.map(({ runId, by, startedAt, finishedAt, verdict, calls, rows, failedSlices }) => {
      const tookMs = finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(startedAt)
      const took = tookMs === null ? '' : tookText(tookMs)
      const figures = [calls, rows, failedSlices].map(count)
      return [runId, by ?? '-', utcMinute(startedAt), took, verdict, ...figures]
    }),
    [5, 6, 7],
  )
}
