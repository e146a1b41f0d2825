import { startOfMonthMs } from '../../api/month-gate.ts'
import { InvalidConfigError } from '../../config/config-problem.ts'
import { loadConfig } from '../../config/load-config.ts'
import type { Config } from '../../config/config.ts'
import { reserveFromSettings } from '../../config/reserve-from-settings.ts'
import { datasets } from '../../datasets/index.ts'
import { MONTH_MS } from '../../plan/repeat-price.ts'
import type { Effects } from '../effects.ts'
import { scheduledCalls } from './scheduled-calls.ts'

/** The calls of a key's `ceiling` that backfills leave from `nowMs` (real time) to the month's end. */
export type ReserveOf = (ceiling: number, nowMs: number) => number

/** The most that schedules may reserve, so that backfills come to an end. */
const MAX_RESERVED_SHARE = 1 / 2

/**
 * The configured reserve, else the calls that schedules still need, else the usual part.
 *
 * @param scheduled from `callsOfSchedules`; not needed where a reserve is configured
 */
export function monthReserve({ source }: Config, scheduled: number | null): ReserveOf {
  const { monthlyReserve: said, apiKeys } = source
  if (said !== null || scheduled === null) return (ceiling) => reserveFromSettings(said, ceiling)
  const ofKey = scheduled / Math.max(1, apiKeys.length)
  return (ceiling, nowMs) => {
    const needed = Math.ceil((ofKey * (startOfMonthMs(nowMs, 1) - nowMs)) / MONTH_MS)
    return Math.min(needed, Math.floor(ceiling * MAX_RESERVED_SHARE))
  }
}

/** The most calls of the file's schedules in a month; null = no schedules, or the file is incomplete without flags. */
export async function callsOfSchedules(
  config: Config,
  facts: Pick<Effects, 'clock' | 'env' | 'cwd'> & {
    ledger: Parameters<typeof scheduledCalls>[2]
  },
): Promise<number | null> {
  try {
    return await scheduledCalls(asInFile(config, facts), facts.clock, facts.ledger)
  } catch (error) {
    // Without flags some orders of the file may be incomplete, and no schedule can be applied then.
    if (error instanceof InvalidConfigError) return null
    throw error
  }
}

/** The configuration without the flags of this command, which schedules do not have. */
function asInFile(
  { file, schedules, ...config }: Config,
  { env, cwd }: Pick<Effects, 'env' | 'cwd'>,
): Config {
  try {
    if (Object.keys(schedules).length > 0) return loadConfig({ file, env, datasets, cwd })
  } catch {
    // The file may need the flags of this command, or be gone.
  }
  return { file, schedules, ...config }
}
