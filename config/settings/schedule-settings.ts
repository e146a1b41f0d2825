import { duration, ids, minuteOrMore, word, yesOrNo } from './kinds.ts'
import { cron, timesOfDay, timeZone, weekdays } from './schedule-kinds.ts'
import { setting } from './setting.ts'

export const scheduleRows = {
  everyMs: setting('every', minuteOrMore, {
    isAlternative: true,
    about: 'Interval, counted from 1970 UTC. 1h means at each full hour.',
    examples: ['1h'],
  }),
  offsetMs: setting('offset', duration, {
    isAlternative: true,
    about: 'Delay after the full interval.',
    otherwise: 'none',
    examples: ['5m'],
  }),
  at: setting('at', timesOfDay, {
    about:
      'One or several times of day, in `time_zone`. The source has the close of a day by 00:40 UTC; it is final an hour after midnight.',
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
    about: 'Five fields of cron, in `time_zone`, for times that `at` cannot name.',
    examples: ['0 6 1 * *'],
  }),
  timeZone: setting('time_zone', timeZone, {
    isAlternative: true,
    about: 'Time zone of `at` and `cron`, by its IANA name.',
    default: 'UTC',
    examples: ['Europe/Berlin'],
  }),
  jitterMs: setting('jitter', duration, {
    about: 'Longest random delay of a start.',
    otherwise: 'none',
    examples: ['2m'],
  }),
  overlap: setting('overlap', word(['buffer_one', 'skip']), {
    about:
      'Rule for a window that comes due while the window before still runs: buffer_one runs it next, skip leaves it out.',
    default: 'buffer_one',
  }),
  catchUpMs: setting('catch_up', minuteOrMore, {
    about: 'Longest delay of a window after a stop. One run fetches everything that was missed.',
    default: '1d',
  }),
  isPausedOnFailure: setting('pause_on_failure', yesOrNo, {
    about: 'Whether a failed run pauses the schedule.',
    default: false,
  }),
  datasets: setting('datasets', ids, {
    isAlternative: true,
    about: 'Datasets to update. A dataset means all of its orders, DATASET/NAME one of them.',
    otherwise: 'all',
    examples: [['coins', 'market_chart/hourly']],
  }),
}
