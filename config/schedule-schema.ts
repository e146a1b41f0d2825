import { z } from 'zod'
import { DURATION_PATTERN } from './duration.ts'

// The structure of the section `schedules`; what a text means is read by read-schedules.ts.

/** `06:30`; `24:00` is none. */
export const TIME_OF_DAY_PATTERN = '^([01]?[0-9]|2[0-3]):[0-5][0-9]$'

/** In the order of the calendar, as people write them. */
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
/** What happens when a window comes due while the one before is still running. */
export const OVERLAPS = ['buffer_one', 'skip'] as const

const text = (description: string, more: Record<string, unknown> = {}) =>
  z.string({ error: 'must be text' }).meta({ description, ...more })

const list = (description: string, examples: unknown[]) =>
  z
    .union([z.string(), z.array(z.string(), { error: 'must be a list' })], {
      error: 'must be a list, or one text with commas',
    })
    .meta({ description, examples })

const duration = (description: string, example: string) =>
  text(description, { pattern: DURATION_PATTERN, examples: [example] })

export const scheduleSchema = z
  .strictObject(
    {
      every: duration('An interval, counted from 1970 UTC: 1h is each full hour.', '1h').optional(),
      offset: duration('How long after the full interval. Default: none.', '5m').optional(),
      at: list('Times of day, in `time_zone`: 06:30, or several.', [
        '06:30',
        ['06:30', '18:30'],
      ]).optional(),
      days: list('Days of the week for `at`. Default: every day.', [['mon', 'thu']]).optional(),
      cron: text('Five fields of cron, in `time_zone`, for what `at` cannot say.', {
        examples: ['0 6 1 * *'],
      }).optional(),
      time_zone: text('Of `at` and `cron`, by its IANA name. Default: UTC.', {
        examples: ['Europe/Berlin'],
      }).optional(),
      jitter: duration('Starts up to this much later, by chance. Default: none.', '2m').optional(),
      overlap: text(
        'What happens when a window comes due while the one before still runs: buffer_one runs it after that, skip leaves it to the next. Default: buffer_one.',
        { enum: [...OVERLAPS] },
      ).optional(),
      catch_up: duration(
        'How late a window may begin after a stop. However many were missed, one run takes them all. Default: 1d.',
        '1d',
      ).optional(),
      pause_on_failure: z
        .boolean({ error: 'must be true or false' })
        .describe('Whether a failed run pauses the schedule. Default: false.')
        .optional(),
      datasets: list(
        'Which of `datasets:` to bring up to date: a dataset with all of its orders, or DATASET/NAME for one of them. Default: all.',
        [['coins', 'market_chart/hourly']],
      ).optional(),
    },
    { error: 'must be a map of keys and values' },
  )
  .describe('When to bring the warehouse up to date.')
