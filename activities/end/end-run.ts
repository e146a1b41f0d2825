import { join } from 'node:path'
import { EXIT } from '../../config/coinlake-error.ts'
import { quoteText } from '../../datasets/table/ddl.ts'
import { unreachableHistory } from '../../plan/unreachable-history.ts'
import type { Unreachable } from '../../plan/plan-slices.ts'
import { ABSENT_NOW_SQL, type AbsentNow } from '../../sinks/ledger/gap-queries.ts'
import { knownSlices } from '../../sinks/ledger/known-slices.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import type { AbsentEntity, FailedSlice } from '../../sinks/store-records.ts'
import type { PublishReport } from '../../sinks/publication.ts'
import type { StoreDeps } from '../activity-deps.ts'
import type { EndRunInput, ReportRunInput } from '../activity-types.ts'
import type { FatalCause, ReportedTotals, RunReport, Verdict } from '../run-report.ts'
import {
  MAX_ENTITY_CHARS,
  MOST_REPORTED,
  reportedAbsences,
  withoutKnownAbsences,
} from './absences.ts'
import { cutText } from '../cut-text.ts'
import { collectLostRequests, PAGELESS_CODES } from '../fetch/lost-requests.ts'
import { notedUnreachable, noteUnfetchedHistory } from './note-unreachable.ts'
import { readOrder } from '../plan/order-file.ts'
import { selectorsOf } from '../plan/plan-run.ts'
import { shortChoices } from './short-choices.ts'
import { unloadedPages } from './unloaded-pages.ts'
import { waitingSlices } from './waiting-slices.ts'
import { writeStateFile } from '../state-file.ts'

/** Longer failure texts are cut in the report. The ledger has them whole. */
const MAX_REASON_CHARS = 200
/** Most unknown paths in a report. A body of another shape may have one for each of its keys. */
const REPORTED_PATHS = 20

/**
 * Verifies, publishes and reports in one activity, because each activity waits for the server. A repetition after a
 * crash gives the same verdict and files.
 */
export async function endRun(
  deps: StoreDeps,
  { cancelled, mayPublish, ...run }: EndRunInput,
): Promise<RunReport> {
  const { runId, fatal } = run
  const { verdict, delivered } = await verifyRun(deps, { runId, cancelled, fatal })
  // Before the publications: readers must see this run ended, with its verdict.
  await deps.store.finishRun(runId, verdict, Date.now())
  const publications = mayPublish ? await publishRun(deps, { runId }) : []
  return writeReport(deps, { ...run, verdict, publications }, delivered)
}

/** Ends a run after its `endRun` has failed for good. */
export async function reportRun(deps: StoreDeps, input: ReportRunInput): Promise<RunReport> {
  await deps.store.finishRun(input.runId, input.verdict, Date.now())
  return writeReport(deps, input, await deliveredBy(deps.store, input.runId))
}

/** Rows, slices and missing ids of a run, by its ledger. */
interface Delivered {
  datasets: ReportedTotals[]
  /** Ids that the run asked for by name and that the answers lacked. */
  absences: AbsentEntity[]
}

async function deliveredBy(store: Store, runId: string): Promise<Delivered> {
  const absences = await store.absences(runId)
  return { datasets: withoutKnownAbsences(await store.totals(runId), absences), absences }
}

/**
 * The verdict of a run. `complete`: every planned slice is loaded with every row. These make a run partial:
 *
 * - quarantined rows, which are in no table;
 * - an id that the source no longer lists, in the first run that finds it;
 * - an id that the source lists again, because this run has only its first slice.
 *
 * Unreachable history is not planned and does not count.
 *
 * @throws SinkError RUN_LOST
 */
export async function verifyRun(
  deps: StoreDeps,
  input: { runId: string; cancelled: boolean; fatal: FatalCause | null },
): Promise<{ verdict: Verdict; delivered: Delivered }> {
  await collectLostRequests(deps.stageDir, (requests) =>
    deps.store.recordRequests(input.runId, requests),
  )
  const ofRun = `WHERE run_id = ${quoteText(input.runId)}`
  const [run] = await deps.store.query(`SELECT order_id FROM _runs ${ofRun}`)
  // Only a run that stopped before its plan is not in the ledger.
  if (run === undefined && input.fatal === null && !input.cancelled) throw lostRunError(input.runId)
  // A broken sink takes no writes.
  if (run !== undefined && input.fatal?.exitCode !== EXIT.sink) {
    const order = await readOrder(deps.ordersDir, String(run['order_id']))
    await noteUnfetchedHistory(deps, order, input.runId)
  }
  const delivered = await deliveredBy(deps.store, input.runId)
  return { verdict: verdictOf(delivered, input), delivered }
}

/** Else a run whose store was removed meanwhile would end as complete, with nothing in the new store. */
function lostRunError(runId: string): SinkError {
  return new SinkError(`the store does not know run ${runId}: another store is in its place`, {
    code: 'RUN_LOST',
    hint: 'Run the same command again: it plans for the store that is there now.',
  })
}

function sumSlices(datasets: readonly ReportedTotals[]): RunReport['slices'] {
  const sum = { planned: 0, loaded: 0, provisional: 0, empty: 0, failed: 0, missing: 0 }
  const states = Object.keys(sum) as (keyof typeof sum)[]
  for (const dataset of datasets) for (const state of states) sum[state] += dataset[state]
  const gone = datasets.reduce((all, dataset) => all + (dataset.gone ?? 0), 0)
  return gone === 0 ? sum : { ...sum, gone }
}

function verdictOf(
  { datasets, absences }: Delivered,
  input: { cancelled: boolean; fatal: FatalCause | null },
): Verdict {
  const slices = sumSlices(datasets)
  const known = absences.filter(({ isTold }) => isTold)
  const knownRows = known.reduce((sum, { rows }) => sum + rows, 0)
  const quarantinedRows = datasets.reduce((sum, { quarantined }) => sum + quarantined, 0)
  const isAllLoaded = slices.failed === 0 && slices.missing === 0 && quarantinedRows === knownRows
  // Slices that wait for the next month are no failure: the same command continues then.
  if (input.fatal?.untilMs !== undefined) return 'partial'
  if (input.fatal !== null) return 'failed'
  if (isAllLoaded && !(input.cancelled && slices.planned === 0)) return 'complete'
  if (input.cancelled) return 'cancelled'
  const isNothingLoaded = slices.loaded + slices.provisional + slices.empty === 0
  return isNothingLoaded ? 'failed' : 'partial'
}

/** Publishes the store. A current publication stays unchanged. */
export async function publishRun(
  { publications, coinlakeVersion }: StoreDeps,
  { runId }: { runId: string },
): Promise<PublishReport[]> {
  const reports: PublishReport[] = []
  for (const publication of publications) {
    const facts = { runId, publishedAtMs: Date.now(), coinlakeVersion }
    reports.push(await publication.publish(facts))
  }
  return reports
}

/** Writes the report to `state/runs/<run>.json`. Pages that an earlier run staged cost this run no calls. */
async function writeReport(
  deps: StoreDeps,
  input: ReportRunInput,
  { datasets, absences }: Delivered,
): Promise<RunReport> {
  const { runId } = input
  const order = await readOrder(deps.ordersDir, input.orderId)
  const unreachable = await notedUnreachable(deps, order)
  const recorded = await recordedCalls(deps.store, input)
  const report: RunReport = {
    runId,
    orderId: input.orderId,
    verdict: input.verdict,
    startedAt: new Date(input.startedAtMs).toISOString(),
    finishedAt: new Date().toISOString(),
    calls: recorded.calls + (await stagedCalls(deps, input)),
    ...(recorded.choiceCalls === 0 ? {} : { choiceCalls: recorded.choiceCalls }),
    rows: datasets.reduce((rows, dataset) => rows + dataset.rows, 0),
    slices: sumSlices(datasets),
    datasets: datasets.map(withFewPaths),
    failures: (await deps.store.failures(runId, MOST_REPORTED, absences)).map(withShortTexts),
    unreachable: unreachableHistory(unreachable),
    publications: input.publications,
    fatal: input.fatal,
    ...(input.lostKeys.length === 0 ? {} : { lostKeys: input.lostKeys }),
    ...(await waitingSlices(deps, input)),
    ...(await slicesLeft(deps.store, runId)),
    ...(await shortChoices(deps, selectorsOf(order.wanted))),
    ...reportedAbsences([...absences, ...(await unaskedAbsences(deps, unreachable, absences))]),
    coinlakeVersion: deps.coinlakeVersion,
  }
  await writeStateFile(join(deps.runsDir, `${runId}.json`), report, 'REPORT_NOT_WRITTEN')
  // Leftovers of killed workers and expired pages. A file that cannot be removed costs only disk.
  await deps.stage.sweep().catch(() => undefined)
  if (report.rows > 0) {
    const known = knownSlices((sql) => deps.store.query(sql))
    await deps.stage.expireDaily(known).catch(() => undefined)
  }
  return report
}

/** Calls of this run in the ledger. Those that chose coins belong to no dataset. */
async function recordedCalls(
  store: Pick<Store, 'query'>,
  { runId, startedAtMs }: Pick<ReportRunInput, 'runId' | 'startedAtMs'>,
): Promise<{ calls: number; choiceCalls: number }> {
  const { choice, categoryProbe } = PAGELESS_CODES
  const [row] = await store.query(
    `SELECT sum(calls) AS calls,
       sum(calls) FILTER (code IN ('${choice}', '${categoryProbe}')) AS choice_calls
     FROM _requests
     WHERE run_id = ${quoteText(runId)} AND epoch_ms(requested_at) >= ${startedAtMs}`,
  )
  return { calls: Number(row?.['calls'] ?? 0), choiceCalls: Number(row?.['choice_calls'] ?? 0) }
}

async function slicesLeft(
  store: Pick<Store, 'query'>,
  runId: string,
): Promise<Pick<RunReport, 'leftToOthers'>> {
  const ofRun = `WHERE run_id = ${quoteText(runId)}`
  const [run] = await store.query(`SELECT left_to_others AS slices FROM _runs ${ofRun}`)
  const leftToOthers = Number(run?.['slices'] ?? 0)
  return leftToOthers === 0 ? {} : { leftToOthers }
}

/** Ids of the order that this run did not ask for, because the source was known to lack them. */
async function unaskedAbsences(
  { store }: Pick<StoreDeps, 'store'>,
  unreachable: readonly Unreachable[],
  absences: readonly AbsentEntity[],
): Promise<AbsentEntity[]> {
  const keyOf = (one: { dataset: string; entity: string }) => `${one.dataset} ${one.entity}`
  const unknown = unreachable.filter(({ reason }) => reason === 'unknown_at_source').map(keyOf)
  if (unknown.length === 0) return []
  const known = await store.query<AbsentNow>(ABSENT_NOW_SQL)
  return known
    .filter((one) => unknown.includes(keyOf(one)))
    .filter((one) => absences.every((asked) => keyOf(asked) !== keyOf(one)))
    .map((one) => ({ ...one, rows: 0, slices: 0 }))
}

/** Calls of this run whose pages are staged but not loaded, because the run was stopped. */
async function stagedCalls(
  deps: StoreDeps,
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
