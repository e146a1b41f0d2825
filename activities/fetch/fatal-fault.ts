import { EXIT } from '../../config/coinlake-error.ts'
import type { KnownFailure } from '../activity-failure.ts'
import type { FatalCause } from '../run-report.ts'

/** Faults of the key, its month or the address: every slice would meet them. */
const FATAL_CODES: ReadonlySet<string> = new Set([
  'SOURCE_AUTH',
  'MONTH_SPENT',
  'SOURCE_UNREACHABLE',
  'SOURCE_NOT_A_SERVICE',
  'SOURCE_DOWN',
])

/**
 * The failure as the cause of the run's end: a refused or used-up key, a wrong address, an unwritable sink. null = the
 * run goes on.
 */
export function fatalOf(failure: KnownFailure): FatalCause | null {
  const { code, reason, hint, exitCode, untilMs } = failure
  if (!FATAL_CODES.has(code) && exitCode !== EXIT.sink) return null
  return { code, reason, hint, exitCode, ...(untilMs === undefined ? {} : { untilMs }) }
}
