import { MINUTE_MS } from '../../config/values/duration.ts'
import { selectorText } from '../../config/values/coin-selector.ts'
import type { CallRate } from '../../api/rate-headers.ts'
import type { Config } from '../../config/config.ts'
import type { OrderPrice } from '../../plan/price.ts'
import type { MonthFit, MonthOfKeys } from '../../plan/month-fit.ts'
import { MONTH_MS, type RepeatPrice } from '../../plan/repeat-price.ts'
import { coinsRequest } from '../../plan/universe.ts'
import type { UnreachableHistory } from '../../plan/unreachable-history.ts'
import type { PlannedExport } from '../run/plan-export.ts'
import type { DiskUse } from '../status/disk-use.ts'
import { alignColumns } from './align-columns.ts'
import {
  approximateDuration,
  between,
  bytes,
  callRateText,
  count,
  counted,
  daysText,
  freeText,
  percent,
  periodText,
} from './quantities.ts'
import { monthText } from './month-text.ts'
import { utcDay } from './utc-text.ts'
import { unreachableLines } from './unreachable-lines.ts'

const FIT_WORDS = {
  yes: 'fits into the month',
  maybe: 'MAY NOT FIT INTO THE MONTH',
  no: 'DOES NOT FIT INTO THE MONTH',
} as const

/** A priced plan as lines for people: the costs by dataset, of a run and of a month. */
export function planText(planned: PlannedExport, config: Config): string[] {
  const { plan, unreachable, nextCallAt } = planned
  const isNothing = plan.slices.length === 0 && plan.pendingUniverses.length === 0
  return [
    ...(isNothing ? [nothingText(unreachable)] : []),
    ...(nextCallAt === null ? [] : [`nothing to fetch before ${minuteUp(Date.parse(nextCallAt))}`]),
    ...datasetLines(planned),
    ...(isNothing ? [] : wholeLines(planned, config)),
    ...monthLines(planned),
    ...plan.pendingUniverses.map((selector) => {
      const by = 'top' in selector ? ' by market cap' : ''
      const calls = between({ min: 1, max: coinsRequest(selector).mostPages })
      return `${selectorText(selector)} is chosen${by} when the backfill starts, and frozen then (calls: ${calls})`
    }),
    ...planned.survivorship,
    ...(unreachable.days === 0
      ? []
      : [`lost     ${daysText(unreachable.days)} of wanted history are unreachable`]),
    ...unreachableLines(unreachable),
  ]
}

function nothingText({ days }: UnreachableHistory): string {
  return days === 0
    ? 'nothing to do: the warehouse has all data that the source gave'
    : `nothing to do, unreachable: ${daysText(days)}: the warehouse has all reachable data`
}

/** The minute at or after a time: an earlier call is in vain, and a run is done by then. */
function minuteUp(ms: number): string {
  const endMs = Math.ceil(ms / MINUTE_MS) * MINUTE_MS
  return `${new Date(endMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

interface Row {
  order: string
  /** Null when the next run has nothing to do for it. */
  price: OrderPrice | null
  months: string[]
}

function datasetLines({ price, repeated }: PlannedExport): string[] {
  const labels = repeated[0]?.perDataset.map(({ order }) => order) ?? []
  const rows = labels.map((order, index): Row => {
    const found = price.perDataset.find((one) => one.order === order) ?? null
    const months = repeated.map(({ perDataset }) => between(perDataset[index]!.calls))
    return { order, price: found, months }
  })
  const columns: (readonly [string, (row: Row) => string])[] = [
    ['dataset', ({ order }) => order],
    ['slices', (row) => (row.price === null ? '0' : between(row.price.slices))],
    ['calls', (row) => (row.price === null ? '0' : between(row.price.calls))],
    ['rows', (row) => count(row.price?.rows ?? 0)],
    ['disk', (row) => bytes(row.price?.diskBytes ?? 0)],
  ]
  if (price.minutes !== null) {
    columns.push(['time', (row) => timeText(row.price?.minutes?.max ?? 0)])
  }
  if (price.month !== null) {
    columns.push(['of month', (row) => percent(row.price?.monthShare ?? { min: 0, max: 0 })])
  }
  repeated.forEach(({ runEveryMs }, index) => {
    columns.push([`calls/month, ${periodText(runEveryMs)}`, (row) => row.months[index] ?? ''])
  })
  return alignColumns(
    columns.map(([title]) => title),
    rows.map((row) => columns.map(([, cell]) => cell(row))),
    columns.map((_, index) => index).slice(1),
  )
}

function wholeLines(planned: PlannedExport, config: Config): string[] {
  const { price, learnedRate } = planned
  // Unread lists count with their greatest length.
  const about = price.calls.exact ? 'about' : 'at most about'
  return [
    `calls    ${between(price.calls)}${price.calls.exact ? '' : ' (bounds: some lists have not been read yet)'}`,
    price.minutes === null
      ? 'time     unknown: the rate is learned from the first answers (or say source.rate)'
      : `time     about ${timeText(price.minutes.max)} at ${rateText(config, learnedRate)}`,
    `rows     ${about} ${count(price.rows)}`,
    `disk     ${about} ${bytes(price.diskBytes)}${diskNowText(planned, config)}`,
  ]
}

function rateText({ source }: Config, learned: CallRate | null): string {
  const keys = Math.max(1, source.apiKeys.length)
  if (source.rate !== null) {
    return `${callRateText(source.rate)}${keys === 1 ? '' : ` and key, ${keys} keys`}`
  }
  return learned === null ? 'no rate' : `${callRateText(learned)}, as learned before`
}

function monthLines({ price, repeated, month, fit, scheduledCalls }: PlannedExport): string[] {
  const lines: string[] = []
  if (price.month !== null && month !== null && fit !== null) {
    lines.push(`month    ${percent(price.month.share)} of ${monthText(month)}`)
    // The reserve already has the calls of schedules.
    lines.push(...fitLines(month, fit, scheduledCalls === null ? repeated[0] : undefined))
    if ((scheduledCalls ?? 0) > month.ceiling) {
      lines.push(
        `windows  SCHEDULES MAY NEED ${count(scheduledCalls ?? 0)} calls a month: take fewer windows or ids, or another key`,
      )
    }
  }
  const months = repeated.map(({ runEveryMs, calls, monthShare }) => {
    const share = monthShare === null ? '' : ` (${percent(monthShare)})`
    return `run ${periodText(runEveryMs)} ${between(calls)}${share}`
  })
  return [...lines, `later    calls a month: ${months.join(', ')}`]
}

/** Lines that tell whether a backfill fits into the month, when it ends, and whether the reserve is enough. */
export function fitLines(
  { endsAtMs, reserve }: MonthOfKeys,
  { leftNow, fits, months, doneByMs }: MonthFit,
  daily: RepeatPrice | undefined,
): string[] {
  const nextMonth = utcDay(endsAtMs)
  const done = doneByMs === null ? '' : `done by ${minuteUp(doneByMs)}, `
  // The first of the months is this one.
  const rest = `: ${count(leftNow)} calls now, the rest in ${counted(months - 1, 'month')} from ${nextMonth} on`
  const lines = [`until    ${done}the backfill ${FIT_WORDS[fits]}${fits === 'yes' ? '' : rest}`]
  const part = Math.max(0, endsAtMs - Date.now()) / MONTH_MS
  const needed = {
    min: Math.ceil((daily?.calls.min ?? 0) * part),
    max: Math.ceil((daily?.calls.max ?? 0) * part),
  }
  if (needed.max > reserve) {
    lines.push(
      `reserve  ${count(reserve)} calls, and daily runs need ${between(needed)} until ${nextMonth}: consider source.monthly_reserve`,
    )
  }
  return lines
}

function diskNowText({ price, disk, freeBytes }: PlannedExport, config: Config): string {
  // The rows of a lake lie elsewhere.
  const isTooMuch = config.lake === null && freeBytes !== null && price.diskBytes > freeBytes
  const fits = isTooMuch ? ', which MAY NOT FIT' : ''
  return `${fits}; ${disk === null ? '' : thereText(disk)}${freeText(freeBytes)}`
}

function thereText(use: DiskUse): string {
  const { storeBytes, stageBytes, duckdbBytes, parquetBytes, stateBytes } = use
  const there = storeBytes + stageBytes + duckdbBytes + parquetBytes + stateBytes
  const atLeast = use.isWhole ? '' : 'at least '
  return `${atLeast}${bytes(there)} there now, `
}

function timeText(minutes: number): string {
  return approximateDuration(minutes * MINUTE_MS)
}
