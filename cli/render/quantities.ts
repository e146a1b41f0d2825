import type { CallRate } from '../../api/rate-headers.ts'
import { approximateDuration, formatDuration } from '../../config/values/duration.ts'

export { approximateDuration, tookText } from '../../config/values/duration.ts'

/** 1234567 -> "1,234,567"; at most three decimals. The first Intl.NumberFormat would take 20 ms of a run. */
export function count(value: number): string {
  const [whole = '', ...decimals] = String(Number(Math.abs(value).toFixed(3))).split('.')
  const groups: string[] = []
  for (let end = whole.length; end > 0; end -= 3)
    groups.unshift(whole.slice(Math.max(0, end - 3), end))
  return `${value < 0 ? '-' : ''}${[groups.join(','), ...decimals].join('.')}`
}

/** 1, 'call' -> "1 call"; 2_000, 'call' -> "2,000 calls". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** 12_345_678 -> "12.3 MB"; powers of 1000, as file managers use them. */
export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let size = value
  let unit = 0
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000
    unit += 1
  }
  const digits = unit === 0 || size >= 100 ? 0 : 1
  return `${size.toFixed(digits)} ${units[unit] ?? 'B'}`
}

/** Free bytes of a disk; null = its file system does not say. */
export function freeText(freeBytes: number | null): string {
  return freeBytes === null ? 'free space unknown' : `${bytes(freeBytes)} free`
}

/** Bounds as one text: "4 to 85", "up to 85", or one number for equal bounds. */
export function between({ min, max }: { min: number; max: number }): string {
  if (min === max) return count(max)
  return min === 0 ? `up to ${count(max)}` : `${count(min)} to ${count(max)}`
}

/** A share (0.021) as "3 %", rounded up so that no cost is understated; below a hundredth "<1 %". */
export function percent(share: { min: number; max: number }): string {
  if (share.max > 0 && share.max < 0.01) return '<1 %'
  const whole = (part: number): number => Math.ceil(part * 100)
  if (share.min > 0 && share.min < 0.01) return `<1 to ${count(whole(share.max))} %`
  return `${between({ min: whole(share.min), max: whole(share.max) })} %`
}

/** "500 calls per 60 s". */
export function callRateText({ calls, perMs }: CallRate): string {
  return `${count(calls)} calls per ${approximateDuration(perMs)}`
}

const PERIOD_WORDS: Readonly<Record<number, string>> = { 3_600_000: 'hourly', 86_400_000: 'daily' }

/** A period as a word: "hourly", "daily", "every 6h". */
export function periodText(everyMs: number): string {
  return PERIOD_WORDS[everyMs] ?? `every ${formatDuration(everyMs)}`
}

/** Days with at most two decimals, 0 or at least 0.01: "26,427 days", "1 day", "0.01 days". */
export function daysText(days: number): string {
  const text = dayCountText(days)
  return `${text} ${text === '1' ? 'day' : 'days'}`
}

/** The count of days without the word. */
export function dayCountText(days: number): string {
  return count(days === 0 ? 0 : Math.max(0.01, Math.round(days * 100) / 100))
}

/** The most items that a text names when --json names all. */
const NAMED = 10

/** A line for each of the first items, and one that counts the others. */
export function namedLines<T>(items: readonly T[], line: (item: T) => string): string[] {
  const others = items.length - NAMED
  const more = others > 0 ? [`... and ${count(others)} more`] : []
  return [...items.slice(0, NAMED).map(line), ...more]
}

/** The end of a list of `all` things that --limit has cut; [] = the list is whole. */
export function omittedLines(all: number, limit: number, thing: string): string[] {
  return all <= limit
    ? []
    : [`... and ${counted(all - limit, `more ${thing}`)}: --limit ${all} shows all`]
}
