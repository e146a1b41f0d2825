import { DAY_MS, formatDuration } from '../values/duration.ts'
import type { ScheduleTimes } from '../schedule-windows.ts'
import type { RawValue } from './kind.ts'
import { parseIds } from './kinds.ts'
import { notInFileError } from './order-kinds.ts'
import type { Values } from './setting.ts'
import { WEEKDAYS } from './schedule-kinds.ts'
import type { SettingReader } from './setting-reader.ts'
import { scheduleRows } from './schedule-settings.ts'

type ScheduleValues = Values<typeof scheduleRows>

/** One entry of `schedules:`, complete. */
export interface ScheduleConfig extends Pick<
  ScheduleValues,
  'timeZone' | 'overlap' | 'catchUpMs' | 'isPausedOnFailure' | 'datasets'
> {
  name: string
  /** The place in the file: `coinlake.yaml:12`. */
  origin: string
  times: ScheduleTimes
  jitterMs: number
}

/** The form of a schedule's name, which is part of a Temporal id. */
const SCHEDULE_NAME = /^[a-z][a-z0-9_-]{0,39}$/

/** @param labels the datasets and orders of the file */
export function readSchedules(
  reader: SettingReader,
  labels: readonly string[],
): Record<string, ScheduleConfig> {
  const names = Object.keys(reader.inFile(['schedules']) ?? {})
  return Object.fromEntries(names.map((name) => [name, readSchedule(reader, name, labels)]))
}

function readSchedule(
  reader: SettingReader,
  name: string,
  labels: readonly string[],
): ScheduleConfig {
  const path = ['schedules', name]
  if (!SCHEDULE_NAME.test(name)) {
    reader.report({
      where: reader.source.whereKey(path),
      code: 'CONFIG_BAD_SCHEDULE_NAME',
      what: `is no name of a schedule: ${JSON.stringify(name)}`,
      hint: 'Write up to 40 of a-z, 0-9, _ and -, beginning with a letter: hourly.',
    })
  }
  checkTimes(reader, name)
  const values = reader.readAll(scheduleRows, path, {
    datasets: { parse: (value) => parseDatasets(value, labels) },
  })
  const { everyMs, offsetMs, at, weekdays, cron, ...otherValues } = values
  checkOffset(reader, name, values)
  let times: ScheduleTimes = {
    kind: 'interval',
    everyMs: everyMs ?? DAY_MS,
    offsetMs: offsetMs ?? 0,
  }
  if (at !== null) {
    const numbers = (weekdays ?? []).map((day) => WEEKDAYS.indexOf(day))
    times = { kind: 'times', at, weekdays: numbers.toSorted((a, b) => a - b) }
  }
  if (cron !== null) times = { kind: 'cron', cron }
  const origin = reader.source.originOf(path)
  return { name, origin, times, ...otherValues, jitterMs: otherValues.jitterMs ?? 0 }
}

/** Checks that a schedule has exactly one of `every`, `at` and `cron`, and no key of another one. */
function checkTimes(reader: SettingReader, name: string): void {
  const path = ['schedules', name]
  const has = (key: string): boolean => reader.inFile([...path, key]) !== undefined
  const report = (key: string | null, what: string): void =>
    reader.report({
      where: reader.source.whereKey(key === null ? path : [...path, key]),
      code: 'CONFIG_SCHEDULE_TIMES',
      what: `schedules.${name} ${what}`,
      hint: 'Write one of `every: 1h`, `at: 06:30` or `cron: "0 6 1 * *"`.',
    })
  const [first, second] = ['every', 'at', 'cron'].filter(has)
  if (first === undefined) report(null, 'does not say when')
  if (second !== undefined) report(second, `says both \`${first}\` and \`${second}\``)
  if (has('offset') && !has('every')) report('offset', 'has `offset` without `every`')
  if (has('days') && !has('at')) report('days', 'has `days` without `at`')
  if (has('time_zone') && has('every')) {
    report('time_zone', 'has `time_zone` with `every`, which counts from 1970 UTC')
  }
}

function checkOffset(
  reader: SettingReader,
  name: string,
  { everyMs, offsetMs }: Pick<ScheduleValues, 'everyMs' | 'offsetMs'>,
): void {
  if (everyMs === null || offsetMs === null || offsetMs < everyMs) return
  reader.report({
    where: reader.whereOf(['schedules', name, 'offset']),
    code: 'CONFIG_BAD_DURATION',
    what: `schedules.${name}.offset is not less than every (${formatDuration(everyMs)})`,
    hint: 'Write the delay after the full interval, such as 5m.',
  })
}

function parseDatasets(value: RawValue, labels: readonly string[]): readonly string[] {
  const names = parseIds(value)
  const unknown = names.find((name) => !labels.includes(name))
  if (unknown === undefined) return names
  throw notInFileError(unknown, labels)
}
