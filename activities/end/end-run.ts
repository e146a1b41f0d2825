import { join } from 'node:path'
import { EXIT } from '../../config/coinlake-error.ts'
import { quoteText } from '../../datasets/table/ddl.ts'
import { unreachableHistory } from '../../plan/unreachable-history.ts'
import type { Unreachable } from '../../plan/plan-slices.ts'
import { absentNowOf } from '../../sinks/ledger/absences.ts'
import { ABSENT_NOW_SQL } from '../../sinks/ledger/gap-queries.ts'
import { knownSlices } from '../../sinks/ledger/known-slices.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import type { AbsentEntity, FailedSlice } from '../../sinks/store.ts'
import type { PublishReport } from '../../sinks/publication.ts'
import type { LoadDeps } from '../activity-deps.ts'
import type { EndRunInput, ReportRunInput } from '../activity-types.ts'
import type { FatalCause, ReportedTotals, RunReport, Verdict } from '../run-report.ts'
import { absentees, MAX_ENTITY_CHARS, newFailures } from './absentees.ts'
import { cutText } from '../cut-text.ts'
import { CHOICE_CODE } from '../fetch/fetch-universe.ts'
import { withoutGone } from './gone-slices.ts'
import { collectLostRequests } from '../fetch/lost-requests.ts'
import { notedUnreachable, noteUnreachable } from './note-unreachable.ts'
import { readOrder } from '../plan/order-file.ts'
import { shortChoices } from './short-choices.ts'
import { sumSlices } from './sum-slices.ts'
import { unloadedPages } from './unloaded-pages.ts'
import { waitingSlices } from './waiting-slices.ts'
import { writeStateFile } from '../state-file.ts'

/** What is kept of a failure's text; the ledger has it in full. */
const MAX_REASON_CHARS = 200
/** A body in quite another shape has as many unknown paths as it has keys. */
const REPORTED_PATHS = 20

/**
 * Ends a run in one step, since each step waits for the server: verifies, publishes, reports. Done again after a
 * crash it gives the same verdict and the same files; what was published before is told as unchanged then.
 */
export async function endRun(
  deps: LoadDeps,
  dirs: { ordersDir: string; runsDir: string },
  { cancelled, mayPublish, ...run }: EndRunInput,
): Promise<RunReport> {
  const { runId, fatal } = run
  const verdict = await verifyRun(deps, dirs.ordersDir, { runId, cancelled, fatal })
  let publications: PublishReport[] = []
  if (mayPublish) {
    // Before the publications, so that readers see this run ended, with its verdict.
    await deps.store.finishRun(runId, verdict, Date.now())
    publications = await publishRun(deps, { runId })
  }
  return reportRun(deps, dirs, { ...run, verdict, publications })
}

/**
 * Holds what was delivered against what was planned. `complete` means every planned slice is in, with
 * every row; a run that was cancelled before it had a plan is not. Rows in quarantine are in no table:
 * a hole must not look like success. History that cannot be had is no part of the plan: the report names it
 * beside the verdict. The run that meets a coin first that the source does not list any more tells of it.
 * Of an id that came to be known the run has the first slice: what is left of it makes the run partial.
 */
export async function verifyRun(
  deps: LoadDeps,
  ordersDir: string,
  input: { runId: string; cancelled: boolean; fatal: FatalCause | null },
): Promise<Verdict> {
  await collectLostRequests(deps.stageDir, (requests) =>
    deps.store.recordRequests(input.runId, requests),
  )
  const ofRun = `WHERE run_id = ${quoteText(input.runId)}`
  const [run] = await deps.store.query(`SELECT order_id FROM _runs ${ofRun}`)
  // A run that was ended before it had a plan is not in the ledger; one that the store ended writes no more.
  if (run !== undefined && input.fatal?.exitCode !== EXIT.sink) {
    await noteUnreachable(deps, await readOrder(ordersDir, String(run['order_id'])), input.runId)
  }
  const absences = await deps.store.absences(input.runId)
  const datasets = withoutGone(await deps.store.totals(input.runId), absences)
  const slices = sumSlices(datasets)
  const told = absences.filter(({ isTold }) => isTold)
  const toldRows = told.reduce((sum, { rows }) => sum + rows, 0)
  const setAside = datasets.reduce((sum, { quarantined }) => sum + quarantined, 0)
  const isAllIn = slices.failed === 0 && slices.missing === 0 && setAside === toldRows
  // What waits for the next month is no failure: the same command goes on then.
  if (input.fatal?.untilMs !== undefined) return 'partial'
  if (input.fatal !== null) return 'failed'
  if (isAllIn && !(input.cancelled && slices.planned === 0)) return 'complete'
  if (input.cancelled) return 'cancelled'
  const isNothingIn = slices.loaded + slices.provisional + slices.empty === 0
  return isNothingIn ? 'failed' : 'partial'
}

/** Makes each publication anew from the store; one that is current already does nothing. */
export async function publishRun(
  deps: LoadDeps,
  input: { runId: string },
): Promise<PublishReport[]> {
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

/**
 * Ends the run in the ledger and keeps its report as `state/runs/<run>.json`. Its calls are those made
 * since it began: pages that a killed run had staged before cost this one nothing.
 */
export async function reportRun(
  deps: LoadDeps,
  { ordersDir, runsDir }: { ordersDir: string; runsDir: string },
  input: ReportRunInput,
): Promise<RunReport> {
  // Runs take real time, also where the market's clock stands still.
  const finishedAtMs = Date.now()
  const { runId } = input
  await deps.store.finishRun(input.runId, input.verdict, finishedAtMs)
  const absences = await deps.store.absences(input.runId)
  const datasets = withoutGone(await deps.store.totals(input.runId), absences)
  const unreachable = await notedUnreachable(deps, await readOrder(ordersDir, input.orderId))
  const report: RunReport = {
    runId: input.runId,
    orderId: input.orderId,
    verdict: input.verdict,
    startedAt: new Date(input.startedAtMs).toISOString(),
    finishedAt: new Date(finishedAtMs).toISOString(),
    calls: (await deps.store.callsSince(input.startedAtMs)) + (await stagedCalls(deps, input)),
    ...(await choiceCalls(deps.store, input)),
    rows: datasets.reduce((rows, dataset) => rows + dataset.rows, 0),
    slices: sumSlices(datasets),
    datasets: datasets.map(withFewPaths),
    failures: (await newFailures((limit) => deps.store.failures(runId, limit), absences)).map(
      withShortTexts,
    ),
    unreachable: unreachableHistory(unreachable),
    publications: input.publications,
    fatal: input.fatal,
    ...(input.lostKeys.length === 0 ? {} : { lostKeys: input.lostKeys }),
    ...(await waitingSlices(deps, input, datasets)),
    ...(await shortChoices(deps, input.runId)),
    ...absentees([...absences, ...(await notAsked(deps, unreachable, absences))]),
    coinlakeVersion: deps.coinlakeVersion,
  }
  await writeStateFile(join(runsDir, `${input.runId}.json`), report, 'REPORT_NOT_WRITTEN')
  // What cannot be removed costs disk, and is no reason to fail the run. First the rests of workers that
  // were killed while it went on; then what has outlived its time.
  await deps.stage.sweep().catch(() => undefined)
  if (report.rows > 0) {
    const known = knownSlices((sql) => deps.store.query(sql))
    await deps.stage.expireDaily(known).catch(() => undefined)
  }
  return report
}

/** Calls of this run that brought the choice of its coins, which is no dataset of the order. */
async function choiceCalls(
  store: Pick<Store, 'query'>,
  { runId, startedAtMs }: Pick<ReportRunInput, 'runId' | 'startedAtMs'>,
): Promise<Pick<RunReport, 'choiceCalls'>> {
  const [row] = await store.query(
    `SELECT sum(calls) AS calls FROM _requests WHERE run_id = ${quoteText(runId)}
       AND code = '${CHOICE_CODE}' AND epoch_ms(requested_at) >= ${startedAtMs}`,
  )
  const calls = Number(row?.['calls'] ?? 0)
  return calls === 0 ? {} : { choiceCalls: calls }
}

/** Ids of the order that the source does not know, and that were asked for before this run. */
async function notAsked(
  { store }: Pick<LoadDeps, 'store'>,
  unreachable: readonly Unreachable[],
  absences: readonly AbsentEntity[],
): Promise<AbsentEntity[]> {
  const keyOf = (one: { dataset: string; entity: string }) => `${one.dataset} ${one.entity}`
  const unknown = unreachable.filter(({ reason }) => reason === 'unknown_at_source').map(keyOf)
  if (unknown.length === 0) return []
  const known = (await store.query(ABSENT_NOW_SQL)).map(absentNowOf)
  return known
    .filter((one) => unknown.includes(keyOf(one)))
    .filter((one) => absences.every((asked) => keyOf(asked) !== keyOf(one)))
    .map((one) => ({ ...one, rows: 0, slices: 0 }))
}

/** Calls of this run whose pages wait in the stage: a run that was stopped leaves them to the next. */
async function stagedCalls(
  deps: LoadDeps,
  { runId, startedAtMs }: Pick<ReportRunInput, 'runId' | 'startedAtMs'>,
): Promise<number> {
  const pages = await unloadedPages(deps, runId)
  const own = pages.filter(({ page }) => page.requestedAtMs >= startedAtMs)
  return own.reduce((calls, { page }) => calls + page.calls, 0)
}

function withShortTexts(failure: FailedSlice): FailedSlice {
  return {
    ...failure,
    entity: cutText(failure.entity, MAX_ENTITY_CHARS),
    reason: cutText(failure.reason, MAX_REASON_CHARS),
  }
}

function withFewPaths(dataset: ReportedTotals): ReportedTotals {
  const paths = Object.entries(dataset.unknownPaths).slice(0, REPORTED_PATHS)
  return { ...dataset, unknownPaths: Object.fromEntries(paths) }
}
