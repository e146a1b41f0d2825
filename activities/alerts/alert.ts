import { approximateDuration } from '../../config/values/duration.ts'
import { seriesText } from '../../config/order-label.ts'
import type { AlertEvent } from '../../config/settings/read-watching.ts'
import { printable } from '../../config/values/foreign-text.ts'
import { NOT_ASKED_AGAIN } from '../../sinks/ledger/repeated-failures.ts'
import type { RunReport } from '../run-report.ts'

/** The JSON document that a receiver gets. Within one `format` fields are only added. */
export interface Alert {
  format: 1
  /** Every repetition of an alert has the same id, so that receivers can drop it. */
  id: string
  event: AlertEvent
  /**
   * `run/<schedule>`, `run/` for those by hand, `stalled/<run>`, or `stale/<dataset>/<granularity>`: the same for the
   * alert and for its recovery.
   */
  subject: string
  /** The time of the alert, ISO. */
  at: string
  /** Start of the state that the first alert reported, ISO. */
  since?: string
  /** The folder of the warehouse. */
  warehouse: string
  /**
   * The alert in one sentence, for chat services, which show a field of this name. Their markup characters are
   * replaced.
   */
  text: string
  coinlakeVersion: string
  run?: AlertRun
  stale?: AlertStale
  stalled?: AlertStall
}

/** An open run without progress for longer than any announced wait. */
export interface AlertStall {
  runId: string
  /** Time of the last progress, ISO. */
  since: string
  code: string
  reason: string
  hint: string
}

/** A run that did not end well, or the first good run after it. */
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
export interface AlertPlace {
  warehouse: string
  coinlakeVersion: string
  nowMs: number
}

const NAMED_FAILURES = 5

/**
 * The alert of a run's end: `recovered` for a complete run, null for a cancelled one.
 *
 * @param schedule '' for a run by hand, whose order no later run by hand repeats
 */
export function alertOfRun(report: RunReport, schedule: string, place: AlertPlace): Alert | null {
  const { verdict, runId, calls, rows, slices, fatal } = report
  if (verdict === 'cancelled') return null
  const event = verdict === 'complete' ? 'recovered' : verdict
  const failures = report.failures
    .slice(0, NAMED_FAILURES)
    .map(({ dataset, entity, sliceId, code, reason }) => {
      return { dataset, entity, sliceId, code, reason }
    })
  const cause = fatal === null ? null : { code: fatal.code, reason: fatal.reason, hint: fatal.hint }
  return {
    ...base(`run/${runId}/${verdict}`, event, `run/${schedule || report.orderId}`, place),
    text:
      verdict === 'complete'
        ? `coinlake: run ${runId} of ${place.warehouse} is complete again`
        : `coinlake: run ${runId} of ${place.warehouse} is ${verdict}: ${whyText(report)}`,
    run: { runId, verdict, calls, rows, slices, fatal: cause, failures },
  }
}

/**
 * The reasons of a run's end: a run that fails for new reasons raises a new alert. A slice that rests keeps the
 * reason of its last try.
 */
export function causesOf({ fatal, failures }: RunReport): string[] {
  const failed = failures
    .filter(({ code }) => code !== NOT_ASKED_AGAIN)
    .map(({ dataset, code }) => `${dataset} ${code}`)
  return fatal === null ? failed : [fatal.code, ...failed]
}

/** The alert of a run that ended without a report: its ledger or its state could not be written. */
export function alertOfBrokenRun(
  broken: { runId: string; schedule: string; code: string; reason: string; hint: string },
  place: AlertPlace,
): Alert {
  const { runId, schedule, ...fatal } = broken
  const slices = { planned: 0, loaded: 0, provisional: 0, empty: 0, failed: 0, missing: 0 }
  return {
    ...base(`run/${runId}/failed`, 'failed', `run/${schedule}`, place),
    text: `coinlake: run ${runId} of ${place.warehouse} failed: ${fatal.code}: ${unmarked(fatal.reason)}`,
    run: { runId, verdict: 'failed', calls: 0, rows: 0, slices, fatal, failures: [] },
  }
}

/** The alert for a stale dataset: one for each time that it stopped growing. */
export function alertOfStale(stale: AlertStale, place: AlertPlace): Alert {
  const { newestAt, ageMs, allowedMs } = stale
  const age =
    ageMs === null
      ? 'has no point at all'
      : `has nothing newer than ${newestAt} (${approximateDuration(ageMs)} old, ${approximateDuration(allowedMs)} allowed)`
  return {
    ...base(`${staleSubject(stale)}/${newestAt ?? 'empty'}`, 'stale', staleSubject(stale), place),
    text: `coinlake: ${seriesText(stale.order, stale.granularity)} of ${place.warehouse} is stale: it ${age}`,
    stale,
  }
}

/** The alert for a dataset that is fresh again. */
export function alertOfFresh(stale: AlertStale, place: AlertPlace): Alert {
  const subject = staleSubject(stale)
  const newest = stale.newestAt === null ? '' : `: its newest point is of ${stale.newestAt}`
  return {
    ...base(`${subject}/${stale.newestAt ?? 'empty'}/recovered`, 'recovered', subject, place),
    text: `coinlake: ${seriesText(stale.order, stale.granularity)} of ${place.warehouse} is fresh again${newest}`,
    stale,
  }
}

/** The alert for an open run without progress. */
export function alertOfStall(stall: AlertStall, place: AlertPlace): Alert {
  const { runId, since, code, reason, hint } = stall
  return {
    ...base(`stalled/${runId}/${since}/${code}`, 'stalled', `stalled/${runId}`, place),
    text: `coinlake: run ${runId} of ${place.warehouse} stands still since ${since}: ${code}: ${unmarked(reason)}`,
    stalled: { runId, since, code, reason, hint },
  }
}

/** The alert for a run that goes on, or has ended, after a standstill. */
export function alertOfMoving(
  { runId, since }: Pick<AlertStall, 'runId' | 'since'>,
  place: AlertPlace,
): Alert {
  return {
    ...base(`stalled/${runId}/${since}/recovered`, 'recovered', `stalled/${runId}`, place),
    text: `coinlake: run ${runId} of ${place.warehouse} does not stand still any more`,
  }
}

export function staleSubject({ order }: Pick<AlertStale, 'order'>): string {
  return `stale/${order}`
}

function base(id: string, event: AlertEvent, subject: string, place: AlertPlace) {
  const { warehouse, coinlakeVersion, nowMs } = place
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

/** Characters that chat services take for a link, a mention, code or a table; no escape is the same in all of them. */
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
  return printable(reason).replace(/[<>[\]`|&@]/g, (mark) => MARKS[mark] ?? mark)
}
