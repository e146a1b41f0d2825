import { duration, ids, minutes, word, yesOrNo } from './kinds.ts'
import { cron, timesOfDay, timeZone, weekdays } from './schedule-kinds.ts'
import { setting } from './setting.ts'

/** The rows of one of `schedules`. */
export const scheduleRows = {
  everyMs: setting('every', minutes, {
    isAlternative: true,
    about: 'An interval, counted from 1970 UTC: 1h is each full hour.',
    examples: ['1h'],
  }),
  offsetMs: setting('offset', duration, {
    isAlternative: true,
    about: 'How long after the full interval.',
    otherwise: 'none',
    examples: ['5m'],
  }),
  at: setting('at', timesOfDay, {
    about:
      'Times of day, in `time_zone`: 06:30, or several. The close of a day is there by 00:40 UTC, and final an hour after midnight.',
    examples: ['01:05', ['06:30', '18:30']],
  }),
  weekdays: setting('days', weekdays, {
    isAlternative: true,
    about: 'Days of the week for `at`.',
    otherwise: 'every day',
    examples: [['mon', 'thu']],
  }),
  cron: setting('cron', cron, {
    isAlternative: true,
    about: 'Five fields of cron, in `time_zone`, for what `at` cannot say.',
    examples: ['0 6 1 * *'],
  }),
  timeZone: setting('time_zone', timeZone, {
    isAlternative: true,
    about: 'Of `at` and `cron`, by its IANA name.',
    default: 'UTC',
    examples: ['Europe/Berlin'],
  }),
  jitterMs: setting('jitter', duration, {
    about: 'Starts up to this much later, by chance.',
    otherwise: 'none',
    examples: ['2m'],
  }),
  overlap: setting('overlap', word(['buffer_one', 'skip']), {
    about:
      'What happens when a window comes due while the one before still runs. buffer_one runs it after that, skip leaves it to the next.',
    default: 'buffer_one',
  }),
  catchUpMs: setting('catch_up', minutes, {
    about:
      'How late a window may begin after a stop. However many were missed, one run takes them all.',
    default: '1d',
  }),
  isPausedOnFailure: setting('pause_on_failure', yesOrNo, {
    about: 'Whether a failed run pauses the schedule.',
    default: false,
  }),
  datasets: setting('datasets', ids, {
    isAlternative: true,
    about:
      'Which of `datasets:` to bring up to date. A dataset means all of its orders, DATASET/NAME one of them.',
    otherwise: 'all',
    examples: [['coins', 'market_chart/hourly']],
  }),
}
