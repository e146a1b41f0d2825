import { EXIT } from '../../config/coinlake-error.ts'
import type { KnownFailure } from '../activity-failure.ts'
import type { FatalCause } from '../run-report.ts'

/** Faults of every slice alike: the key, its month, the address. */
const FATAL_CODES: ReadonlySet<string> = new Set([
  'SOURCE_AUTH',
  'MONTH_SPENT',
  'SOURCE_UNREACHABLE',
  'SOURCE_NOT_A_SERVICE',
  'SOURCE_DOWN',
])

/** The cause if it ends the run: a refused key or one used up, a wrong address, a sink that cannot be written. Else null. */
export function fatalOf(failure: KnownFailure): FatalCause | null {
  const { code, reason, hint, exitCode, untilMs } = failure
  if (!FATAL_CODES.has(code) && exitCode !== EXIT.sink) return null
  return { code, reason, hint, exitCode, ...(untilMs === undefined ? {} : { untilMs }) }
}
