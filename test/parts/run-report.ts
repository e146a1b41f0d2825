import type { ReportedTotals, RunReport } from '../../activities/run-report.ts'
import type { FailedSlice } from '../../sinks/store-records.ts'

/** Slices by state, none but those that are told. */
export function sliceCounts(told: Partial<RunReport['slices']> = {}): RunReport['slices'] {
  return { planned: 0, loaded: 0, provisional: 0, empty: 0, failed: 0, missing: 0, ...told }
}

/** The report of a complete run of two seconds that had nothing to do, with parts replaced. */
export function runReport(told: Partial<RunReport> = {}): RunReport {
  return {
    runId: 'r1',
    orderId: 'o',
    verdict: 'complete',
    startedAt: '2024-01-01T00:00:00.000Z',
    finishedAt: '2024-01-01T00:00:02.000Z',
    calls: 0,
    rows: 0,
    slices: sliceCounts(),
    datasets: [],
    failures: [],
    unreachable: { days: 0, datasets: [] },
    publications: [],
    fatal: null,
    coinlakeVersion: '0.1.0',
    ...told,
  }
}

/** Totals of a dataset of which a report tells nothing, with parts replaced. */
export function reportedTotals(told: Partial<ReportedTotals> = {}): ReportedTotals {
  const rowCounts = { rows: 0, outsideSlice: 0, duplicate: 0, quarantined: 0 }
  const listings = { moved: 0, unlisted: 0, unknownPaths: {} }
  return { dataset: 'market_chart', ...sliceCounts(), calls: 0, ...rowCounts, ...listings, ...told }
}

/** A slice whose coin the source does not know, with parts replaced. */
export function failedSlice(told: Partial<FailedSlice> = {}): FailedSlice {
  return {
    sliceId: 'a'.repeat(20),
    dataset: 'market_chart',
    entity: 'bitcoin',
    vsCurrency: 'usd',
    granularity: '1d',
    fromMs: Date.UTC(2024, 0, 1),
    toMs: Date.UTC(2024, 1, 1),
    code: 'SOURCE_NOT_FOUND',
    reason: 'HTTP 404',
    ...told,
  }
}
