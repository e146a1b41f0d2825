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
  /** Every repetition of an alert has the same id, so that receivers can drop the repetition. */
  id: string
  event: AlertEvent
  /**
   * The cause: `run/<schedule>`, `run/<order id>` for a run by hand, `stalled/<run>`, `stale/<order>`. An alert and its
   * recovery have the same subject.
   */
  subject: string
  /** The time of the alert, ISO. */
  at: string
  /** When the subject turned bad (the time of the first alert), ISO. */
  since?: string
  /** The folder of the warehouse. */
  warehouse: string
  /** The alert in one sentence without markup. Chat services show a field of this name. */
  text: string
  coinlakeVersion: string
  run?: AlertRun
  stale?: AlertStale
  stalled?: AlertStall
}

/** An open run without progress for longer than any announced wait. */
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

/** The run of the alert: one that did not end well, or the first complete run after it. */
export interface AlertRun {
  runId: string
  verdict: string
  calls: number
  rows: number
  slices: RunReport['slices']
  /** The fault that ended the run early; null = none. */
  fatal: { code: string; reason: string; hint: string } | null
  /** At most five; `slices.failed` counts all. */
  failures: { dataset: string; entity: string; sliceId: string; code: string; reason: string }[]
}

/** A dataset whose newest point is too old. */
export interface AlertStale {
  dataset: string
  /** `market_chart`, or `market_chart/hourly` where the order has a name. */
  order: string
  granularity: string
  /** ISO; null = the dataset has no point. */
  newestAt: string | null
  /** Start of the stale state, ISO; null = the dataset has no point. */
  since: string | null
  ageMs: number | null
  allowedMs: number
}

/** The warehouse and the program that raise the alert. */
export interface AlertOrigin {
  warehouse: string
  coinlakeVersion: string
  nowMs: number
}

const NAMED_FAILURES = 5

/**
 * The alert of a run's end: `recovered` for a complete run, null for a cancelled one.
 *
 * @param schedule '' for a run by hand
 */
export function alertOfRun(report: RunReport, schedule: string, origin: AlertOrigin): Alert | null {
  const { verdict, runId, orderId, calls, rows, slices, fatal } = report
  if (verdict === 'cancelled') return null
  const event = verdict === 'complete' ? 'recovered' : verdict
  const failures = report.failures
    .slice(0, NAMED_FAILURES)
    .map(({ dataset, entity, sliceId, code, reason }) => {
      return { dataset, entity, sliceId, code, reason }
    })
  const cause = fatal === null ? null : { code: fatal.code, reason: fatal.reason, hint: fatal.hint }
  return {
    ...base(`run/${runId}/${verdict}`, event, runSubject({ schedule, orderId }), origin),
    text:
      verdict === 'complete'
        ? `coinlake: run ${runId} of ${origin.warehouse} is complete again`
        : `coinlake: run ${runId} of ${origin.warehouse} is ${verdict}: ${whyText(report)}`,
    run: { runId, verdict, calls, rows, slices, fatal: cause, failures },
  }
}

/**
 * The reasons of a run's end; a new reason raises a new alert. NOT_ASKED_AGAIN is left out, because a skipped slice
 * has no new reason.
 */
export function causesOf({ fatal, failures }: RunReport): string[] {
  const failed = failures
    .filter(({ code }) => code !== NOT_ASKED_AGAIN)
    .map(({ dataset, code }) => `${dataset} ${code}`)
  return fatal === null ? failed : [fatal.code, ...failed]
}

/** The alert of a run that ended without a report, because its ledger or its state could not be written. */
export function alertOfBrokenRun(
  broken: Omit<Extract<RunEvent, { kind: 'broken' }>, 'kind'>,
  origin: AlertOrigin,
): Alert {
  const { runId, code, reason, hint } = broken
  const fatal = { code, reason, hint }
  const slices = { planned: 0, loaded: 0, provisional: 0, empty: 0, failed: 0, missing: 0 }
  return {
    ...base(`run/${runId}/failed`, 'failed', runSubject(broken), origin),
    text: `coinlake: run ${runId} of ${origin.warehouse} failed: ${code}: ${unmarked(reason)}`,
    run: { runId, verdict: 'failed', calls: 0, rows: 0, slices, fatal, failures: [] },
  }
}

/** The alert of a schedule that has gone from the server. The next complete window of it recovers the alert. */
export function alertOfGoneSchedule(schedule: string, origin: AlertOrigin): Alert {
  const subject = runSubject({ schedule, orderId: '' })
  const { warehouse, nowMs } = origin
  return {
    ...base(`${subject}/gone/${new Date(nowMs).toISOString()}`, 'failed', subject, origin),
    text: `coinlake: schedule ${schedule} of ${warehouse} is not on the server any more: nothing begins its windows. Run coinlake schedule apply`,
  }
}

/** The alert for a stale dataset. A dataset that stops growing, recovers and stops again gets a second alert. */
export function alertOfStale(stale: AlertStale, origin: AlertOrigin): Alert {
  const { newestAt, ageMs, allowedMs } = stale
  const age =
    ageMs === null
      ? 'has no point at all'
      : `has nothing newer than ${newestAt} (${approximateDuration(ageMs)} old, ${approximateDuration(allowedMs)} allowed)`
  return {
    ...base(`${staleSubject(stale)}/${newestAt ?? 'empty'}`, 'stale', staleSubject(stale), origin),
    text: `coinlake: ${seriesText(stale.order, stale.granularity)} of ${origin.warehouse} is stale: it ${age}`,
    stale,
  }
}

/** The alert for a dataset that is fresh again. */
export function alertOfFresh(stale: AlertStale, origin: AlertOrigin): Alert {
  const subject = staleSubject(stale)
  const newest = stale.newestAt === null ? '' : `: its newest point is of ${stale.newestAt}`
  return {
    ...base(`${subject}/${stale.newestAt ?? 'empty'}/recovered`, 'recovered', subject, origin),
    text: `coinlake: ${seriesText(stale.order, stale.granularity)} of ${origin.warehouse} is fresh again${newest}`,
    stale,
  }
}

/** The alert for an open run without progress. */
export function alertOfStall(stalled: AlertStall, origin: AlertOrigin): Alert {
  const { runId, since, code, reason } = stalled
  return {
    ...base(`stalled/${runId}/${since}/${code}`, 'stalled', `stalled/${runId}`, origin),
    text: `coinlake: run ${runId} of ${origin.warehouse} has made no progress since ${since}: ${code}: ${unmarked(reason)}`,
    stalled,
  }
}

/** The alert for a run that goes on, or has ended, after a stall. */
export function alertOfStallOver(
  { runId, since }: Pick<AlertStall, 'runId' | 'since'>,
  origin: AlertOrigin,
): Alert {
  return {
    ...base(`stalled/${runId}/${since}/recovered`, 'recovered', `stalled/${runId}`, origin),
    text: `coinlake: run ${runId} of ${origin.warehouse} makes progress again or has ended`,
  }
}

/** A run by hand has its order as the cause, so that the next good run of that order recovers its alert. */
function runSubject({ schedule, orderId }: { schedule: string; orderId: string }): string {
  return `run/${schedule || orderId}`
}

export function staleSubject({ order }: Pick<AlertStale, 'order'>): string {
  return `stale/${order}`
}

function base(id: string, event: AlertEvent, subject: string, origin: AlertOrigin) {
  const { warehouse, coinlakeVersion, nowMs } = origin
  const at = new Date(nowMs).toISOString()
  return { format: 1 as const, id, event, subject, at, warehouse, coinlakeVersion }
}

function whyText({ fatal, slices, datasets }: RunReport): string {
  if (fatal !== null) return `${fatal.code}: ${unmarked(fatal.reason)}`
  const quarantined = datasets.reduce((sum, one) => sum + one.quarantined, 0)
  const parts = [
    slices.failed > 0 ? `${slices.failed} of ${slices.planned} slices failed` : '',
    slices.missing > 0 ? `${slices.missing} were not fetched` : '',
    quarantined > 0 ? `${quarantined} rows are in quarantine` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? 'see its report' : parts.join(', ')
}

/** Characters that chat services take for a link, a mention, code or a table; the services share no escape. */
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

/** The source's words as plain text; the field `run` has them unchanged. */
function unmarked(reason: string): string {
  return Array.from(printable(reason), (char) => MARKS[char] ?? char).join('')
}
