import type { RunReport } from '../../../activities/run-report.ts'

/** The report of a run of which one slice failed. */
export const PARTIAL: RunReport = {
  runId: '20260115T120000-abc123',
  orderId: 'o',
  verdict: 'partial',
  startedAt: '2026-01-15T12:00:00.000Z',
  finishedAt: '2026-01-15T12:01:00.000Z',
  calls: 12,
  rows: 340,
  slices: { planned: 3, loaded: 2, provisional: 0, empty: 0, failed: 1, missing: 0 },
  datasets: [],
  failures: [
    {
      dataset: 'market_chart',
      entity: 'bitcoin',
      vsCurrency: 'usd',
      granularity: '1d',
      fromMs: 0,
      toMs: 1,
      sliceId: 'a'.repeat(20),
      code: 'SOURCE_NOT_FOUND',
      reason: 'HTTP 404',
    },
  ],
  unreachable: { days: 0, datasets: [] },
  publications: [],
  fatal: null,
  coinlakeVersion: '0.1.0',
}
