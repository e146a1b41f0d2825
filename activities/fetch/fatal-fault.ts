import { EXIT } from '../../config/coinlake-error.ts'
import type { KnownFailure } from '../activity-failure.ts'
import type { FatalCause } from '../run-report.ts'

/** Faults that every slice would meet: of the key, its month or the address. */
const FATAL_CODES: ReadonlySet<string> = new Set([
  'SOURCE_AUTH',
  'MONTH_SPENT',
  'SOURCE_UNREACHABLE',
  'SOURCE_NOT_A_SERVICE',
  'SOURCE_DOWN',
])

/** The cause of a run's end: a refused or used-up key, a wrong address, a broken sink. null = the run goes on. */
export function fatalCauseOf(failure: KnownFailure): FatalCause | null {
  const { code, reason, hint, exitCode, untilMs } = failure
  if (!FATAL_CODES.has(code) && exitCode !== EXIT.sink) return null
  return { code, reason, hint, exitCode, ...(untilMs === undefined ? {} : { untilMs }) }
}
