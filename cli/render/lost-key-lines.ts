import type { RunReport } from '../../activities/run-report.ts'

/** Keys that were left out while others went on: told also where nothing is missing for it. */
export function lostKeyLines({ lostKeys = [] }: RunReport): string[] {
  return lostKeys.map(
    ({ keyId, code, reason }) => `warning: key ${keyId} was left out (${code}): ${reason}`,
  )
}
