import { alignColumns } from '../render/align-columns.ts'
import { approximateDuration, count } from '../render/quantities.ts'
import { utcMinute } from '../render/utc-minute.ts'
import type { LedgerRun } from './runs.ts'

/** Runs as people read them, newest first. */
export function runsText(found: readonly LedgerRun[]): string[] {
  if (found.length === 0) return ['nothing has run yet']
  return alignColumns(
    ['run', 'by', 'began', 'took', 'ended', 'calls', 'rows', 'failed slices'],
    found.map(({ runId, by, startedAt, finishedAt, verdict, calls, rows, failedSlices }) => {
      const tookMs = finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(startedAt)
      const took = tookMs === null ? '' : approximateDuration(tookMs)
      const figures = [calls, rows, failedSlices].map(count)
      return [runId, by, utcMinute(startedAt), took, verdict, ...figures]
    }),
    [5, 6, 7],
  )
}
