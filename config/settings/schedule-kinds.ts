import { hintFor } from '../values/did-you-mean.ts'
import { cronOf } from '../schedule-windows.ts'
import { listOf, textKind, word } from './kinds.ts'

/** The days of the week, in the order of their numbers in cron. */
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

/** A time of day such as `06:30`; `24:00` does not fit. */
const TIME_OF_DAY = /^([01]?[0-9]|2[0-3]):[0-5][0-9]$/
/** Five fields without `?`, which the server does not accept. */
const CRON_FIELDS = /^[\d*/,\-A-Za-z]+(?:\s+[\d*/,\-A-Za-z]+){4}$/
const CRON_WORDS =
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)$/i

/** The IANA name of a time zone in the usual spelling; null = there is none. */
export function zoneName(text: string): string | null {
  try {
    const name = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
    // Offsets such as +02:00 are zones for Intl, but not for Temporal's server.
    return /^[+-]/.test(name) ? null : name
  } catch {
    return null
  }
}

export const timeZone = textKind({
  read: zoneName,
  code: 'CONFIG_BAD_TIME_ZONE',
  refusal: 'is no time zone',
  hint: (text) =>
    hintFor(text, Intl.supportedValuesOf('timeZone'), 'Write an IANA name such as Europe/Berlin.'),
})

const timeOfDay = textKind({
  read(text) {
    const [hour = 0, minute = 0] = text.split(':').map(Number)
    return TIME_OF_DAY.test(text) ? { hour, minute } : null
  },
  show: ({ hour, minute }) => `${hour}:${String(minute).padStart(2, '0')}`,
  code: 'CONFIG_BAD_TIME_OF_DAY',
  refusal: 'has no time of day',
  hint: 'Write hours and minutes in quotes: "06:30".',
})

export const timesOfDay = listOf(timeOfDay)

export const weekdays = listOf(word(WEEKDAYS, 'CONFIG_BAD_WEEKDAY'))

export const cron = textKind({
  read: (text) => (comesDue(text) ? text : null),
  code: 'CONFIG_BAD_CRON',
  refusal: 'is no cron of five fields, or names times that never come',
  hint: 'Write minute (0-59), hour (0-23), day of month (1-31), month (1-12), day of week (0-7 or sun-sat): "0 6 1 * *".',
})

/** Whether a text is a cron with a next time. */
function comesDue(text: string): boolean {
  const words = text.match(/[A-Za-z]+/g) ?? []
  if (!CRON_FIELDS.test(text) || !words.every((word) => CRON_WORDS.test(word))) return false
  try {
    return cronOf(text).nextRun(new Date(0)) !== null
  } catch {
    return false
  }
}
