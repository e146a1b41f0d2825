import { approximateDuration } from '../../config/values/duration.ts'
import { seriesText } from '../../config/order-label.ts'
import type { AlertEvent } from '../../config/settings/read-watching.ts'
import { printable } from '../../config/values/foreign-text.ts'
import { NOT_ASKED_AGAIN } from '../../sinks/ledger/repeated-failures.ts'
import type { RunEvent } from '../run-events.ts'
import type { RunReport } from '../run-report.ts'

/** The JSON document that a receiver gets. Within one `format` fields are only added. */
export interface Alert {
  format: 1
  /** Repetitions of an alert have its id, so that receivers can drop them. */
  id: string
  event: AlertEvent
  /**
   * The cause of the alert: `run/<schedule>`, `run/<order id>` (a run by hand), `stalled/<run>`, `stale/<order>`. A
   * recovery has the subject of its alert.
   */
  subject: string
  /** The time of the alert, ISO. */
  at: string
  /** Time of the first alert about the subject, ISO. */
  since?: string
  /** The folder of the warehouse. */
  warehouse: string
  /** The alert in one sentence, without markup. Chat services show the field of this name. */
  text: string
  coinlakeVersion: string
  run?: AlertRun
  stale?: AlertStale
  stalled?: AlertStall
}

/** An open run that makes no progress, although no announced wait explains it. */
export interface AlertStall {
  runId: string
  /** null = a run by hand. */
  schedule: string | null
  /** Time of the last progress, ISO. */
  since: string
  code: string
  reason: string
  hint: string
}

/** The run of the alert: a bad one, or the first complete run after it. */
export interface AlertRun {
  runId: string
  verdict: string
  calls: number
  rows: number
  slices: RunReport['slices']
  fatal: { code: string; reason: string; hint: string } | null
  /** At most five; `slices.failed` counts all. */
  failures: { dataset: string; entity: string; sliceId: string; code: string; reason: string }[]
}

/** A dataset whose newest point is too old. */
export interface AlertStale {
  dataset: string
  /** `market_chart`, or `market_chart/hourly` if the order has a name. */
  order: string
  granularity: string
  /** Time of the newest point, ISO; null = no point. */
  newestAt: string | null
  /** Since when the dataset is stale, ISO; null = no point, or fresh again. */
  since: string | null
  ageMs: number | null
  allowedMs: number
}

export interface AlertOrigin {
  warehouse: string
  coinlakeVersion: string
  nowMs: number
}

const MOST_NAMED_FAILURES = 5

/**
 * The alert at the end of a run: `recovered` for a complete run, null for a cancelled one. A complete run that left all its
 * slices to other open runs is no sign of recovery: it has asked for nothing.
 *
 * @param schedule '' for a run by hand
 */
export function alertOfRun(report: RunReport, schedule: string, origin: AlertOrigin): Alert | null {
  const { verdict, runId, orderId, calls, rows, slices, fatal } = report
  if (verdict === 'cancelled') return null
  const brought = slices.loaded + slices.provisional + slices.empty
  if (verdict === 'complete' && report.leftToOthers !== undefined && brought === 0) return null
  const event = verdict === 'complete' ? 'recovered' : verdict
  const failures = report.failures
    .slice(0, MOST_NAMED_FAILURES)
    .map(({ dataset, entity, sliceId, code, reason }) => {
      return { dataset, entity, sliceId, code, reason }
    })
  const cause = fatal === null ? null : { code: fatal.code, reason: fatal.reason, hint: fatal.hint }
  return {
    ...commonFields(`run/${runId}/${verdict}`, event, runSubject({ schedule, orderId }), origin),
    text:
      verdict === 'complete'
        ? `coinlake: run ${runId} of ${origin.warehouse} is complete again`
        : `coinlake: run ${runId} of ${origin.warehouse} is ${verdict}: ${whyText(report)}`,
    run: { runId, verdict, calls, rows, slices, fatal: cause, failures },
  }
}

/**
 * The reasons why a run ended badly. A new reason raises a new alert. A slice that was skipped (NOT_ASKED_AGAIN) has no
 * new reason.
 */
export function causesOf({ fatal, failures, datasets }: RunReport): string[] {
  const failed = failures
    .filter(({ code }) => code !== NOT_ASKED_AGAIN)
    .map(({ dataset, code }) => `${dataset} ${causeOf(code)}`)
  const refused = datasets
    .filter(({ quarantined }) => quarantined > 0)
    .map(({ dataset }) => `${dataset} QUARANTINED`)
  return [...(fatal === null ? [] : [causeOf(fatal.code)]), ...failed, ...refused]
}

/** One outage has two codes: the tries of a page may be used up before it has lasted a minute (judge-fault.ts). */
function causeOf(code: string): string {
  return code === 'SOURCE_UNREACHABLE' ? 'SOURCE_DOWN' : code
}

/** The alert for a run without a report: its ledger or its state could not be written. */
export function alertOfBrokenRun(
  broken: Omit<Extract<RunEvent, { kind: 'broken' }>, 'kind'>,
  origin: AlertOrigin,
): Alert {
  const { runId, code, reason, hint } = broken
  const fatal = { code, reason, hint }
  const slices = { planned: 0, loaded: 0, provisional: 0, empty: 0, failed: 0, missing: 0 }
  return {
    ...commonFields(`run/${runId}/failed`, 'failed', runSubject(broken), origin),
    text: `coinlake: run ${runId} of ${origin.warehouse} failed: ${code}: ${withoutMarks(reason)}`,
    run: { runId, verdict: 'failed', calls: 0, rows: 0, slices, fatal, failures: [] },
  }
}

/** The alert for a schedule that has vanished from the server. Its next complete window recovers the alert. */
export function alertOfGoneSchedule(schedule: string, origin: AlertOrigin): Alert {
  const subject = runSubject({ schedule, orderId: '' })
  const { warehouse, nowMs } = origin
  return {
    ...commonFields(`${subject}/gone/${new Date(nowMs).toISOString()}`, 'failed', subject, origin),
    text: `coinlake: schedule ${schedule} of ${warehouse} is not on the server any more: nothing begins its windows. Run coinlake schedule apply`,
  }
}

/** The alert for a stale dataset. Its id has the newest point: a dataset that turns stale again raises a new alert. */
export function alertOfStale(stale: AlertStale, origin: AlertOrigin): Alert {
  const { newestAt, ageMs, allowedMs } = stale
  const subject = staleSubject(stale)
  const age =
    ageMs === null
      ? 'has no point at all'
      : `has nothing newer than ${newestAt} (${approximateDuration(ageMs)} old, ${approximateDuration(allowedMs)} allowed)`
  return {
    ...commonFields(`${subject}/${newestAt ?? 'empty'}`, 'stale', subject, origin),
    text: `coinlake: ${seriesText(stale.order, stale.granularity)} of ${origin.warehouse} is stale: it ${age}`,
    stale,
  }
}

export function alertOfFresh(stale: AlertStale, origin: AlertOrigin): Alert {
  const { newestAt } = stale
  const subject = staleSubject(stale)
  const newest = newestAt === null ? '' : `: its newest point is of ${newestAt}`
  return {
    ...commonFields(`${subject}/${newestAt ?? 'empty'}/recovered`, 'recovered', subject, origin),
    text: `coinlake: ${seriesText(stale.order, stale.granularity)} of ${origin.warehouse} is fresh again${newest}`,
    stale: { ...stale, since: null },
  }
}

export function alertOfStall(stalled: AlertStall, origin: AlertOrigin): Alert {
  const { runId, since, code, reason } = stalled
  return {
    ...commonFields(`stalled/${runId}/${since}/${code}`, 'stalled', `stalled/${runId}`, origin),
    text: `coinlake: run ${runId} of ${origin.warehouse} has made no progress since ${since}: ${code}: ${withoutMarks(reason)}`,
    stalled,
  }
}

/** The alert after a stall: the run goes on or has ended. */
export function alertOfStallOver(
  { runId, since }: Pick<AlertStall, 'runId' | 'since'>,
  origin: AlertOrigin,
): Alert {
  return {
    ...commonFields(`stalled/${runId}/${since}/recovered`, 'recovered', `stalled/${runId}`, origin),
    text: `coinlake: run ${runId} of ${origin.warehouse} makes progress again or has ended`,
  }
}

/** The subject of a run's alerts: its schedule, or the order of a run by hand. The next complete run of either recovers it. */
function runSubject({ schedule, orderId }: { schedule: string; orderId: string }): string {
  return `run/${schedule || orderId}`
}

export function staleSubject({ order }: Pick<AlertStale, 'order'>): string {
  return `stale/${order}`
}

function commonFields(id: string, event: AlertEvent, subject: string, origin: AlertOrigin) {
  const { warehouse, coinlakeVersion, nowMs } = origin
  const at = new Date(nowMs).toISOString()
  return { format: 1 as const, id, event, subject, at, warehouse, coinlakeVersion }
}

function whyText({ fatal, slices, datasets }: RunReport): string {
  if (fatal !== null) return `${fatal.code}: ${withoutMarks(fatal.reason)}`
  const quarantined = datasets.reduce((sum, one) => sum + one.quarantined, 0)
  const parts = [
    slices.failed > 0 ? `${slices.failed} of ${slices.planned} slices failed` : '',
    slices.missing > 0 ? `${slices.missing} were not fetched` : '',
    quarantined > 0 ? `${quarantined} rows are in quarantine` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? 'see its report' : parts.join(', ')
}

/** Characters that chat services read as a link, a mention, code or a table. The services share no escape. */
const MARKS: Readonly<Record<string, string>> = {
  '<': '\u2039',
  '>': '\u203a',
  '[': '(',
  ']': ')',
  '`': "'",
  '|': '/',
  '&': '+',
  '@': '(at)',
}

/** A text of the source without those characters. The field `run` has the text unchanged. */
function withoutMarks(reason: string): string {
  return Array.from(printable(reason), (char) => MARKS[char] ?? char).join('')
}
