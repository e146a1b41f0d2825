import type { Config } from '../../config/config.ts'
import { keyMonths } from './key-months.ts'

/** The note for a run by hand while only the reserve of a month is left; null = more is left. */
export async function reserveNote(config: Config): Promise<string | null> {
  for (const { keyId, used, ceiling, reserve } of await keyMonths(config)) {
    if (ceiling === null || reserve === null || used < ceiling - reserve) continue
    return `this uses the reserve of the month, which is kept for syncs: ${used} of ${ceiling} calls of key ${keyId} are used, the reserve is ${reserve}`
  }
  return null
}
