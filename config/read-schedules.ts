import { didYouMean } from './did-you-mean.ts'
import { formatDuration } from './duration.ts'
import { parseDuration, parseIds, parseText, parseWord } from './parse-values.ts'
import type { ConfigDocument } from './schema.ts'
import { OVERLAPS, TIME_OF_DAY_PATTERN, WEEKDAYS } from './schedule-schema.ts'
import { cronOf } from './schedule-windows.ts'
import type { ScheduleConfig, ScheduleTimes } from './schedule.ts'
import { BadValue, type RawValue, type SettingReader } from './setting-reader.ts'
import type { YamlSource } from './yaml-source.ts'

/** A schedule's name is part of a Temporal id. */
const NAME = /^[a-z][a-z0-9_-]{0,39}$/
const CRON_FIELDS = 5
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const TIME_KINDS = ['every', 'at', 'cron'] as const

type Section = NonNullable<ConfigDocument['schedules']>[string]

/**
 * The `schedules` section.
 *
 * @param known datasets and orders that the file has
 */
export function readSchedules(
  reader: SettingReader,
  source: YamlSource,
  document: ConfigDocument,
  known: readonly string[],
): Record<string, ScheduleConfig> {
  const schedules: Record<string, ScheduleConfig> = {}
  for (const [name, section] of Object.entries(document.schedules ?? {})) {
    if (!NAME.test(name)) {
      reader.report({
        where: source.whereKey(['schedules', name]),
        code: 'CONFIG_BAD_SCHEDULE_NAME',
        what: `is no name of a schedule: ${JSON.stringify(name)}`,
        hint: 'Write up to 40 of a-z, 0-9, _ and -, beginning with a letter: hourly.',
      })
    }
    schedules[name] = readSchedule(reader, source, { name, section, known })
  }
  return schedules
}

function readSchedule(
  reader: SettingReader,
  source: YamlSource,
  { name, section, known }: { name: string; section: Section; known: readonly string[] },
): ScheduleConfig {
  const path = (key: string) => ['schedules', name, key] as const
  const origin = source.originOf(['schedules', name])
  checkTimes(reader, source, name, section)
  return {
    name,
    origin,
    times: readTimes(reader, path, section),
    timeZone: reader.read<string>({
      path: path('time_zone'),
      inFile: section.time_zone,
      fallback: 'UTC',
      parse: parseTimeZone,
      show: String,
    }),
    jitterMs: reader.read<number>({
      path: path('jitter'),
      inFile: section.jitter,
      fallback: 0,
      parse: parseDuration,
      show: (ms) => (ms === 0 ? 'none' : formatDuration(ms)),
    }),
    overlap: reader.read<ScheduleConfig['overlap']>({
      path: path('overlap'),
      inFile: section.overlap,
      fallback: 'buffer_one',
      parse: (value) => parseWord(value, OVERLAPS, 'CONFIG_BAD_VALUE'),
      show: String,
    }),
    catchUpMs: reader.read<number>({
      path: path('catch_up'),
      inFile: section.catch_up,
      fallback: DAY_MS,
      parse: parseCatchUp,
      show: formatDuration,
    }),
    isPausedOnFailure: section.pause_on_failure ?? false,
    datasets: reader.read<readonly string[] | null>({
      path: path('datasets'),
      inFile: section.datasets,
      fallback: null,
      parse: (value) => parseDatasets(value, known),
      show: (names) => names?.join(', ') ?? 'all',
    }),
  }
}

/** Exactly one of the three ways to say when, and no key of another way. */
function checkTimes(
  reader: SettingReader,
  source: YamlSource,
  name: string,
  section: Section,
): void {
  const said = TIME_KINDS.filter((key) => section[key] !== undefined)
  const report = (key: string | null, what: string): void =>
    reader.report({
      where: source.whereKey(key === null ? ['schedules', name] : ['schedules', name, key]),
      code: 'CONFIG_SCHEDULE_TIMES',
      what: `schedules.${name} ${what}`,
      hint: 'Write one of `every: 1h`, `at: 06:30` or `cron: "0 6 1 * *"`.',
    })
  if (said.length === 0) report(null, 'does not say when')
  if (said.length > 1) report(said[1]!, `says both \`${said[0]}\` and \`${said[1]}\``)
  if (section.offset !== undefined && section.every === undefined) {
    report('offset', 'has `offset` without `every`')
  }
  if (section.days !== undefined && section.at === undefined)
    report('days', 'has `days` without `at`')
  if (section.time_zone !== undefined && section.every !== undefined) {
    report('time_zone', 'has `time_zone` with `every`, which counts from 1970 UTC')
  }
}

function readTimes(
  reader: SettingReader,
  path: (key: string) => readonly [string, string, string],
  section: Section,
): ScheduleTimes {
  if (section.cron !== undefined) {
    const cron = reader.read<string>({
      path: path('cron'),
      inFile: section.cron,
      fallback: '',
      parse: parseCron,
      show: String,
    })
    return { kind: 'cron', cron }
  }
  if (section.at !== undefined) {
    const at = reader.read<{ hour: number; minute: number }[]>({
      path: path('at'),
      inFile: section.at,
      fallback: [],
      parse: parseTimesOfDay,
      show: (times) =>
        times.map(({ hour, minute }) => `${hour}:${String(minute).padStart(2, '0')}`).join(', '),
    })
    const weekdays = reader.read<number[]>({
      path: path('days'),
      inFile: section.days,
      fallback: [],
      parse: parseWeekdays,
      show: (days) =>
        days.length === 0 ? 'every day' : days.map((day) => WEEKDAYS[day]).join(', '),
    })
    return { kind: 'times', at, weekdays }
  }
  const everyMs = reader.read<number>({
    path: path('every'),
    inFile: section.every,
    fallback: DAY_MS,
    parse: parseInterval,
    show: formatDuration,
  })
  const offsetMs = reader.read<number>({
    path: path('offset'),
    inFile: section.offset,
    fallback: 0,
    parse: (value) => parseOffset(value, everyMs),
    show: (ms) => (ms === 0 ? 'none' : formatDuration(ms)),
  })
  return { kind: 'interval', everyMs, offsetMs }
}

function parseInterval(value: RawValue): number {
  const ms = parseDuration(value)
  if (ms >= MINUTE_MS) return ms
  throw new BadValue('CONFIG_BAD_DURATION', 'is less than a minute', 'Write at least 1m.')
}

function parseOffset(value: RawValue, everyMs: number): number {
  const ms = parseDuration(value)
  if (ms < everyMs) return ms
  const what = `is not less than every (${formatDuration(everyMs)})`
  throw new BadValue('CONFIG_BAD_DURATION', what, 'Write how long after the full interval: 5m.')
}

/** The server takes 10 s for less. */
function parseCatchUp(value: RawValue): number {
  const ms = parseDuration(value)
  if (ms >= MINUTE_MS) return ms
  throw new BadValue('CONFIG_BAD_DURATION', 'is less than a minute', 'Write at least 1m.')
}

function parseTimeZone(value: RawValue): string {
  const text = parseText(value)
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    const meant = didYouMean(text, Intl.supportedValuesOf('timeZone'))
    throw new BadValue(
      'CONFIG_BAD_TIME_ZONE',
      `is no time zone: ${JSON.stringify(text)}`,
      meant === null ? 'Write an IANA name such as Europe/Berlin.' : `Did you mean \`${meant}\`?`,
    )
  }
}

function parseTimesOfDay(value: RawValue): { hour: number; minute: number }[] {
  return parseIds(value).map((text) => {
    if (!new RegExp(TIME_OF_DAY_PATTERN).test(text)) {
      throw new BadValue(
        'CONFIG_BAD_TIME_OF_DAY',
        `has no time of day: ${JSON.stringify(text)}`,
        'Write hours and minutes in quotes: "06:30".',
      )
    }
    const [hour = 0, minute = 0] = text.split(':').map(Number)
    return { hour, minute }
  })
}

function parseWeekdays(value: RawValue): number[] {
  return parseIds(value)
    .map((text) => WEEKDAYS.indexOf(parseWord(text, WEEKDAYS, 'CONFIG_BAD_WEEKDAY')))
    .toSorted((a, b) => a - b)
}

const CRON_WORDS =
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)$/i

function parseCron(value: RawValue): string {
  const text = parseText(value)
  const hasWordsOfOurs = (text.match(/[A-Za-z]+/g) ?? []).every((word) => CRON_WORDS.test(word))
  // The server takes no `?`.
  const hasFields = text.split(/\s+/).length === CRON_FIELDS && /^[\d*/,\-\sA-Za-z]+$/.test(text)
  const isDue = hasFields && hasWordsOfOurs ? comesDue(text) : null
  if (isDue === true) return text
  throw new BadValue(
    'CONFIG_BAD_CRON',
    isDue === false
      ? `names times that never come: ${JSON.stringify(text)}`
      : `is no cron of five fields: ${JSON.stringify(text)}`,
    'Write minute (0-59), hour (0-23), day of month (1-31), month (1-12), day of week (0-7 or sun-sat): "0 6 1 * *".',
  )
}

/** Whether a cron has a next time; null = it is none, a number of it is out of range, say. */
function comesDue(cron: string): boolean | null {
  try {
    return cronOf(cron).nextRun(new Date(0)) !== null
  } catch {
    return null
  }
}

function parseDatasets(value: RawValue, known: readonly string[]): readonly string[] {
  const names = parseIds(value)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return names
  const meant = didYouMean(unknown, known)
  throw new BadValue(
    'CONFIG_UNKNOWN_DATASET',
    `names a dataset or an order that is not under \`datasets:\`: ${JSON.stringify(unknown)}`,
    meant === null ? `There are ${known.join(', ')}.` : `Did you mean \`${meant}\`?`,
  )
}
