import { ConfigError } from '../../config/config-error.ts'
import type { Options } from '../effects.ts'

const OPTIONS_OF = {
  apply: ['replace'],
  list: [],
  pause: ['all', 'note'],
  resume: ['all', 'note'],
  trigger: ['all'],
  backfill: ['all', 'from', 'to'],
  delete: ['all'],
} as const satisfies Record<string, readonly string[]>

export type ScheduleAction = keyof typeof OPTIONS_OF

export const SCHEDULE_ACTIONS = Object.keys(OPTIONS_OF) as ScheduleAction[]

/** Refuses an action without one schedule or all, and options that it would ignore. @throws ConfigError USAGE */
export function checkUsage(
  action: ScheduleAction,
  name: string | undefined,
  options: Options,
): void {
  const own: readonly string[] = OPTIONS_OF[action]
  const all = new Set(Object.values(OPTIONS_OF).flat())
  const idle = [...all].find((option) => options[option] !== undefined && !own.includes(option))
  if (idle !== undefined) {
    const takers = SCHEDULE_ACTIONS.filter((one) =>
      OPTIONS_OF[one].some((option) => option === idle),
    )
    throw usageError(
      `schedule ${action} takes no --${idle}`,
      `--${idle} is for ${takers.join(', ')}.`,
    )
  }
  if (!own.includes('all')) {
    if (name === undefined) return
    throw usageError(
      `schedule ${action} takes no name, and has ${JSON.stringify(name)}`,
      `Leave the name out: \`${action}\` takes all schedules.`,
    )
  }
  const isOfAll = options['all'] === true
  if ((name === undefined) === isOfAll) return
  throw usageError(
    `schedule ${action} ${isOfAll ? `says both ${name} and --all` : 'does not say which'}`,
    'Give one of them: the name of a schedule that `coinlake schedule list` shows, or --all.',
  )
}

function usageError(what: string, hint: string): ConfigError {
  return new ConfigError(what, { code: 'USAGE', hint })
}
