import type { RunReport } from '../../activities/run-report.ts'
import { EXIT } from '../../config/coinlake-error.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { datasets } from '../../datasets/index.ts'
import { EXTRA } from '../../datasets/table/common-columns.ts'
import { absentLines } from './absent-lines.ts'
import { alignColumns } from './align-columns.ts'
import { errorLines } from './error-lines.ts'
import { failureHint } from './failure-hint.ts'
import { listingDoubtLines } from './listing-doubts.ts'
import { bytes, count, counted, daysText, namedLines, tookText } from './quantities.ts'
import { utcInterval } from './utc-text.ts'
import { unreachableLines } from './unreachable-lines.ts'

/** Datasets whose rows keep new keys, except keys outside the list of items. */
const WITH_EXTRA = new Set(
  datasets.filter(({ tables }) => tables.some(hasExtra)).map(({ name }) => name),
)

type FailedSlice = RunReport['failures'][number]

/** The run report as lines for people: loaded data by dataset, publications, and last, where the eye is, the gaps. */
export function reportText(report: RunReport): string[] {
  const tookMs = Date.parse(report.finishedAt) - Date.parse(report.startedAt)
  return [
    `${verdictText(report)}: ${counted(report.rows, 'row')}, ${counted(report.calls, 'call')}, ${tookText(tookMs)} (run ${report.runId})`,
    ...doneLines(report),
    ...shortChoiceLines(report),
    ...absentLines(report.absent?.entities ?? [], report.absent?.count ?? 0).map(indented),
    ...unreachableLines(report.unreachable).map(indented),
    ...publicationLines(report),
    ...lostKeyLines(report).map(indented),
    ...absentErrorLines(report),
    ...quarantineLines(report),
    ...failureLines(report),
    ...waitingLines(report),
    ...fatalLines(report),
  ]
}

/** Percentages count all wanted data, but the verdict only reachable ones, so it names the others. */
function verdictText({ verdict, unreachable }: RunReport): string {
  return unreachable.days === 0 ? verdict : `${verdict}, unreachable: ${daysText(unreachable.days)}`
}

/** The header of `datasetCells`; all but the first are numbers. */
export const DATASET_HEADER = ['dataset', 'rows', 'calls', 'slices', 'failed', 'quarantined']

export function datasetCells(one: RunReport['datasets'][number]): string[] {
  return [
    one.dataset,
    count(one.rows),
    count(one.calls),
    `${count(one.loaded + one.provisional + one.empty)}/${count(one.planned)}`,
    count(one.failed),
    count(one.quarantined),
  ]
}

function doneLines(report: RunReport): string[] {
  if (report.slices.planned === 0) {
    // A run that was stopped before its plan cannot judge what is there.
    if (report.verdict !== 'complete') return []
    if (report.leftToOthers !== undefined) {
      return [`nothing to do: ${leftText(report.leftToOthers)}`]
    }
    const data = report.unreachable.days === 0 ? 'data that the source gave' : 'reachable data'
    return [`nothing to do: the warehouse has all ${data}`]
  }
  const rows = report.datasets.map(datasetCells)
  // With this line, the calls add up to those of the run.
  const { choiceCalls = 0 } = report
  if (choiceCalls > 0) rows.push(['choice of coins', '-', count(choiceCalls), '-', '-', '-'])
  const lines = alignColumns(DATASET_HEADER, rows, [1, 2, 3, 4, 5])
  if (report.leftToOthers !== undefined) lines.push(leftText(report.leftToOthers))
  for (const { dataset, empty, moved, unlisted, unknownPaths } of report.datasets) {
    lines.push(...listingDoubtLines(dataset, { moved, unlisted }))
    if (empty > 0) {
      lines.push(`${dataset}: the source has nothing for ${counted(empty, 'slice')} of it`)
    }
    const inRow = WITH_EXTRA.has(dataset) ? 'kept in _extra of its row, or ' : ''
    const unknown = namedLines(
      Object.entries(unknownPaths),
      ([path, times]) =>
        `unknown field in ${dataset}: ${path} (${counted(times, 'time')}, ${inRow}only in the kept answer)`,
    )
    lines.push(...unknown)
  }
  return lines.map(indented)
}

/** Whether `_extra` of a table has new keys. Where it has something else, its column is a copy of EXTRA. */
function hasExtra({ columns }: TableSpec): boolean {
  return columns.includes(EXTRA)
}

function leftText(slices: number): string {
  return `${counted(slices, 'wanted slice is', 'wanted slices are')} left to another open run`
}

/** Warnings of a complete run that chose fewer coins than configured. */
function shortChoiceLines({ shortChoices = [] }: RunReport): string[] {
  return shortChoices.map(({ selector, chosen }) =>
    indented(
      `warning: ${selector} is ${counted(chosen, 'coin')}: the source listed no more when they were chosen`,
    ),
  )
}

function publicationLines({ publications, rows: loadedRows, fatal }: RunReport): string[] {
  if (fatal !== null && publications.length === 0 && loadedRows > 0) {
    return [
      indented(
        'nothing was published at the end of this run: the published files lack its newest rows',
      ),
    ]
  }
  const lines = publications.map(
    ({ publication, changed, path, rows, sizeBytes }) =>
      `${changed ? 'published' : 'unchanged'} ${publication}: ${path} (${counted(rows, 'row')}, ${bytes(sizeBytes)})`,
  )
  const warnings = publications.flatMap((publication) => publication.warnings ?? [])
  return [...lines, ...warnings.map((warning) => `warning: ${warning}`)].map(indented)
}

/** A missing id is a gap in its first run. Later runs name it above and are complete. */
function absentErrorLines({ absent }: RunReport): string[] {
  if (absent === undefined || absent.newCount === 0) return []
  const message = `${counted(absent.newCount, 'id')} asked for by name, and not in the answer (see above)`
  const hint = 'Check the ids. Later runs are complete without them, and name them all the same.'
  return errorLines({ code: 'NOT_LISTED', message, hint })
}

/** Quarantined rows make a run partial, so they are named. */
function quarantineLines({ datasets, absent }: RunReport): string[] {
  const affected = datasets
    .map((one) => ({ ...one, quarantined: one.quarantined - (absent?.rows[one.dataset] ?? 0) }))
    .filter(({ quarantined }) => quarantined > 0)
  if (affected.length === 0) return []
  const counts = affected.map((one) => `${counted(one.quarantined, 'row')} of ${one.dataset}`)
  const message = `${counts.join(', ')} broke a rule and went to no table`
  const hint = 'See which: coinlake query "select dataset, rule, path, raw from _quarantine".'
  return errorLines({ code: 'ROWS_QUARANTINED', message, hint })
}

/** Failed slices by code, because a hundred equal reasons would hide another one. */
function failureLines({ failures, slices, fatal, waiting }: RunReport): string[] {
  const lines: string[] = []
  const groups = Map.groupBy(failures, ({ code }) => code)
  for (const [code, [first, ...others]] of groups) {
    if (first === undefined) continue
    const message = `${sliceText(first)}: ${first.reason}`
    const [line, hint] = errorLines({ code, message, hint: failureHint(code) })
    lines.push(line, ...others.map((other) => `  as well: ${sliceText(other)}`), hint)
  }
  const unlisted = slices.failed - failures.length
  if (unlisted > 0) lines.push(`${counted(unlisted, 'more slice')} failed (table _slices)`)
  if (slices.missing > 0 && waiting === undefined) {
    const isSinkFault = fatal?.exitCode === EXIT.sink
    const kept = isSinkFault ? '; answers that were fetched are kept' : ''
    const next = fatal === null ? '; the same command goes on' : kept
    lines.push(`${counted(slices.missing, 'slice is', 'slices are')} not in the tables yet${next}`)
  }
  return lines
}

function fatalLines({ fatal }: RunReport): string[] {
  if (fatal === null) return []
  return errorLines({ code: fatal.code, message: fatal.reason, hint: fatal.hint })
}

function sliceText(slice: FailedSlice): string {
  const series = [slice.dataset, slice.entity, slice.vsCurrency, slice.granularity]
  return `${series.filter((part) => part !== '').join(' ')} ${utcInterval(slice.fromMs, slice.toMs)}`
}

function indented(line: string): string {
  return `  ${line}`
}

/** Keys that failed while others went on, also when no data are missing. */
function lostKeyLines({ lostKeys = [] }: RunReport): string[] {
  return lostKeys.map(
    ({ keyId, code, reason }) => `warning: key ${keyId} was left out (${code}): ${reason}`,
  )
}

function waitingLines({ waiting, slices }: RunReport): string[] {
  if (waiting === undefined) return []
  const day = waiting.untilAt.slice(0, 10)
  if (slices.planned === 0) {
    return [`nothing was planned yet: the coins are chosen when the month begins anew on ${day}`]
  }
  const wait = counted(waiting.slices, 'slice waits', 'slices wait')
  return [
    `${wait} for the next month, which begins on ${day} (UTC):`,
    ...waiting.datasets.map(({ dataset, slices: count, first }) => {
      const more = count > 1 ? ` and ${counted(count - 1, 'more', 'more')}` : ''
      return `  ${dataset} ${first}${more}`
    }),
  ]
}
