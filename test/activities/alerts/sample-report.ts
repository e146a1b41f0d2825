import { failedSlice, runReport, sliceCounts } from '../../parts/run-report.ts'

/** The report of a run of which one slice failed. */
export const PARTIAL = runReport({
  runId: '20260115T120000-abc123',
  verdict: 'partial',
  startedAt: '2026-01-15T12:00:00.000Z',
  finishedAt: '2026-01-15T12:01:00.000Z',
  calls: 12,
  rows: 340,
  slices: sliceCounts({ planned: 3, loaded: 2, failed: 1 }),
  failures: [failedSlice()],
})
