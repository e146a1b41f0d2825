import type { Config } from '../../config/config.ts'
import { keyMonths } from './key-months.ts'

/** What to say to who asks by hand while only the reserve of a month is left; null while there is more. */
export async function reserveNote(config: Config): Promise<string | null> {
  for (const { keyId, used, ceiling, reserve } of await keyMonths(config)) {
    if (ceiling === null || reserve === null || used < ceiling - reserve) continue
    return `this uses the reserve of the month, which is kept for syncs: ${used} of ${ceiling} calls of key ${keyId} are used, the reserve is ${reserve}`
  }
  return null
}
