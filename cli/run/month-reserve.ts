import { loadConfig } from '../../config/load-config.ts'
import type { Clock } from '../../config/clock.ts'
import type { Config } from '../../config/config.ts'
import { monthlyReserve } from '../../config/monthly-reserve.ts'
import { datasets } from '../../datasets/index.ts'
import { MONTH_MS } from '../../plan/repeat-price.ts'
import { scheduledCalls } from './scheduled-calls.ts'

/** Calls of a month with this ceiling that backfills leave alone at `nowMs` (real time), of each key. */
export type ReserveOf = (ceiling: number, nowMs: number) => number

/** However much schedules ask for: a backfill must come to an end some day. */
const MOST = 1 / 2

/**
 * The reserve of a month: that of the configuration, else the calls that its schedules need until the month is over,
 * else a usual part.
 */
export async function monthReserve(
  config: Config,
  facts: {
    clock: Clock
    env: Readonly<Record<string, string | undefined>>
    cwd: string
    ledger: Parameters<typeof scheduledCalls>[2]
  },
): Promise<ReserveOf> {
  const { monthlyReserve: said, apiKeys } = config.source
  const perMonth =
    said === null ? await scheduledCalls(asInFile(config, facts), facts.clock, facts.ledger) : null
  if (perMonth === null) return (ceiling) => monthlyReserve(said, ceiling)
  const ofKey = perMonth / Math.max(1, apiKeys.length)
  return (ceiling, nowMs) => {
    const now = new Date(nowMs)
    const endsAtMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
    const needed = Math.ceil((ofKey * (endsAtMs - nowMs)) / MONTH_MS)
    return Math.min(needed, Math.floor(ceiling * MOST))
  }
}

/** Without the flags of this command, which the schedules do not have. */
function asInFile(
  { file, schedules, ...config }: Config,
  { env, cwd }: { env: Readonly<Record<string, string | undefined>>; cwd: string },
): Config {
  try {
    if (Object.keys(schedules).length > 0) return loadConfig({ file, env, datasets, cwd })
  } catch {
    // A file that is only whole with the flags of this command, or gone by now.
  }
  return { file, schedules, ...config }
}
