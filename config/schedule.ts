import type { OVERLAPS } from './schedule-schema.ts'

/** When a schedule's windows come due. */
export type ScheduleTimes =
  | { kind: 'interval'; everyMs: number; offsetMs: number }
  /** `weekdays` 0 = Sunday; empty = every day. */
  | { kind: 'times'; at: readonly { hour: number; minute: number }[]; weekdays: readonly number[] }
  | { kind: 'cron'; cron: string }

/** One entry of `schedules:`, with nothing left to look up. */
export interface ScheduleConfig {
  name: string
  /** What asked for it: `coinlake.yaml:12`. */
  origin: string
  times: ScheduleTimes
  /** IANA name; of `times` and `cron`. */
  timeZone: string
  jitterMs: number
  overlap: (typeof OVERLAPS)[number]
  /** How late a window may begin. */
  catchUpMs: number
  isPausedOnFailure: boolean
  /** Of `datasets:`, by name of the dataset or of one order (`market_chart/hourly`); null = all of them. */
  datasets: readonly string[] | null
}
