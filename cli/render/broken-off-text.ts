import type { BegunRun } from '../run/begun-run.ts'

/** A run that ended without a report, in one line for people. */
export function brokenOffText({ runId, goOnWith }: BegunRun): string {
  return `run ${runId} was broken off; go on with: ${goOnWith}`
}
