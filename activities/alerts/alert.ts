import { approximateDuration } from '../../config/duration.ts'
import { seriesText } from '../../config/order-label.ts'
import type { AlertEvent } from '../../config/settings/read-watching.ts'
import { printable } from '../../config/foreign-text.ts'
import { NOT_ASKED_AGAIN } from '../../sinks/ledger/repeated-failures.ts'
import type { RunReport } from '../run-report.ts'

/** What a receiver is told, as JSON. Within one `format` fields are only added. */
export interface Alert {
  format: 1
  /** The same however often it is sent: receivers drop repeats by it. */
  id: string
  event: AlertEvent
  /** `run/<schedule>`, `run/` for those by hand, `stalled/<run>`, or `stale/<dataset>/<granularity>`: the same while it is bad and when it is well again. */
  subject: string
  /** When it came up, ISO. */
  at: string
  /** Since when the subject is, or was, as it was told first, ISO. */
  since?: string
  /** The folder of the warehouse. */
  warehouse: string
  /** All of it in one sentence; chat services show a field of this name. Characters that they would obey are replaced. */
  text: string
  coinlakeVersion: string
  run?: AlertRun
  stale?: AlertStale
  stalled?: AlertStall
}

/** An open run that brings nothing, beyond any wait that was told. */
export interface AlertStall {
  runId: string
  /** When something came last, ISO. */
  since: string
  code: string
  reason: string
  hint: string
}

/** A run that did not end well, or the first that did again. */
export interface AlertRun {
  runId: string
  verdict: string
  calls: number
  rows: number
  slices: RunReport['slices']
  /** What ended it early, null when nothing did. */
  fatal: { code: string; reason: string; hint: string } | null
  /** At most five; `slices.failed` counts all. */
  failures: { dataset: string; entity: string; sliceId: string; code: string; reason: string }[]
}

/** A dataset whose newest point is older than it may be. */
export interface AlertStale {
  dataset: string
  /** `market_chart`, or `market_chart/hourly` where the order has a name. */
  order: string
  granularity: string
  /** ISO; null = there is no point at all. */
  newestAt: string | null
  /** Since when it counts as stale, ISO; null where there is no point. */
  since: string | null
  ageMs: number | null
  allowedMs: number
}

/** Where and by what it came up. */
export interface AlertPlace {
  warehouse: string
  coinlakeVersion: string
  nowMs: number
}

const NAMED_FAILURES = 5

/**
 * The alert of a run's end: `recovered` for one that is complete, null for one that somebody has cancelled.
 *
 * @param schedule '' for a run by hand: another order by hand tells nothing of this one
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
 * The reasons of a run's end: a run that fails for others than the last one is news. A slice that is not asked
 * again fails for the reason that was told before.
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

/** The alert that a stale dataset is worth: one for each time that it stopped growing. */
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

/** The alert that a dataset is worth that was stale and is not any more. */
export function alertOfFresh(stale: AlertStale, place: AlertPlace): Alert {
  const subject = staleSubject(stale)
  const newest = stale.newestAt === null ? '' : `: its newest point is of ${stale.newestAt}`
  return {
    ...base(`${subject}/${stale.newestAt ?? 'empty'}/recovered`, 'recovered', subject, place),
    text: `coinlake: ${seriesText(stale.order, stale.granularity)} of ${place.warehouse} is fresh again${newest}`,
    stale,
  }
}

/** The alert of an open run that stands still. */
export function alertOfStall(stall: AlertStall, place: AlertPlace): Alert {
  const { runId, since, code, reason, hint } = stall
  return {
    ...base(`stalled/${runId}/${since}/${code}`, 'stalled', `stalled/${runId}`, place),
    text: `coinlake: run ${runId} of ${place.warehouse} stands still since ${since}: ${code}: ${unmarked(reason)}`,
    stalled: { runId, since, code, reason, hint },
  }
}

/** The alert of a run that stood still, and goes on or has ended. */
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

/** The words of a source as plain text; exactly as they came they stand in `run`. */
function unmarked(reason: string): string {
  return printable(reason).replace(/[<>[\]`|&@]/g, (mark) => MARKS[mark] ?? mark)
}
