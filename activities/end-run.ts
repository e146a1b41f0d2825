import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatasetTotals } from '../sinks/store.ts'
import type { PublishReport } from '../sinks/publication.ts'
import type { LoadDeps } from './activity-deps.ts'
import type { FatalCause, ReportRunInput, RunReport, Verdict } from './activity-types.ts'
import { collectLostRequests } from './lost-requests.ts'

/** Failures listed in the report; the ledger has all. Keeps the report at a few kB. */
const REPORTED_FAILURES = 20

/** Holds what was delivered against what was planned. `complete` means every planned slice is in. */
export async function verifyRun(
  deps: LoadDeps,
  input: { runId: string; cancelled: boolean; fatal: FatalCause | null },
): Promise<{ verdict: Verdict }> {
  await collectLostRequests(deps.stageDir, (requests) =>
    deps.store.recordRequests(input.runId, requests),
  )
  const slices = sumSlices(await deps.store.totals(input.runId))
  const isAllIn = slices.failed === 0 && slices.missing === 0
  if (input.fatal !== null) return { verdict: 'failed' }
  if (isAllIn) return { verdict: 'complete' }
  if (input.cancelled) return { verdict: 'cancelled' }
  const isNothingIn = slices.loaded + slices.provisional + slices.empty === 0
  return { verdict: isNothingIn ? 'failed' : 'partial' }
}

/** Makes each publication anew from the store; one that is current already does nothing. */
export async function publishRun(
  deps: LoadDeps,
  input: { runId: string; verdict: Verdict },
): Promise<PublishReport[]> {
  // Before the publications, so that readers see this run ended, with its verdict.
  await deps.store.finishRun(input.runId, input.verdict, Date.now())
  const reports: PublishReport[] = []
  for (const publication of deps.publications) {
    reports.push(
      await publication.publish({
        runId: input.runId,
        publishedAtMs: Date.now(),
        coinlakeVersion: deps.coinlakeVersion,
      }),
    )
  }
  return reports
}

/** Ends the run in the ledger and keeps its report as `state/runs/<run>.json`. */
export async function reportRun(
  deps: LoadDeps,
  runsDir: string,
  input: ReportRunInput,
): Promise<RunReport> {
  // Runs take real time, also where the market's clock stands still.
  const finishedAtMs = Date.now()
  await deps.store.finishRun(input.runId, input.verdict, finishedAtMs)
  const datasets = await deps.store.totals(input.runId)
  const report: RunReport = {
    runId: input.runId,
    orderId: input.orderId,
    verdict: input.verdict,
    startedAt: new Date(input.startedAtMs).toISOString(),
    finishedAt: new Date(finishedAtMs).toISOString(),
    calls: datasets.reduce((calls, dataset) => calls + dataset.calls, input.choosingCalls),
    rows: datasets.reduce((rows, dataset) => rows + dataset.rows, 0),
    slices: sumSlices(datasets),
    datasets,
    failures: await deps.store.failures(input.runId, REPORTED_FAILURES),
    publications: input.publications,
    fatal: input.fatal,
    coinlakeVersion: deps.coinlakeVersion,
  }
  await mkdir(runsDir, { recursive: true, mode: 0o700 })
  const file = join(runsDir, `${input.runId}.json`)
  await writeFile(`${file}.tmp`, `${JSON.stringify(report, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.tmp`, file)
  return report
}

function sumSlices(datasets: readonly DatasetTotals[]): RunReport['slices'] {
  const sum = { planned: 0, loaded: 0, provisional: 0, empty: 0, failed: 0, missing: 0 }
  for (const dataset of datasets) {
    sum.planned += dataset.planned
    sum.loaded += dataset.loaded
    sum.provisional += dataset.provisional
    sum.empty += dataset.empty
    sum.failed += dataset.failed
    sum.missing += dataset.missing
  }
  return sum
}
