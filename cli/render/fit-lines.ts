import type { MonthFit, MonthOfKeys } from '../../plan/month-fit.ts'
import { MONTH_MS, type RepeatPrice } from '../../plan/repeat-price.ts'
import { between, count } from './quantities.ts'
import { utcDay } from './utc-text.ts'

const WORDS = {
  yes: 'fits into the month',
  maybe: 'MAY NOT FIT INTO THE MONTH',
  no: 'DOES NOT FIT INTO THE MONTH',
} as const

/** Lines that tell whether a backfill fits into the month, when it ends, and whether the reserve is enough. */
export function fitLines(
  { endsAtMs, reserve }: MonthOfKeys,
  { leftNow, fits, months, doneByMs }: MonthFit,
  daily: RepeatPrice | undefined,
): string[] {
  const nextMonth = utcDay(endsAtMs)
  const done = doneByMs === null ? '' : `done by ${minute(doneByMs)}, `
  const rest = `: ${count(leftNow)} calls now, the rest from ${nextMonth} on (${months} months)`
  const lines = [`until    ${done}it ${WORDS[fits]}${fits === 'yes' ? '' : rest}`]
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

function minute(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
