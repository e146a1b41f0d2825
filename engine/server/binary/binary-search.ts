import type { Env } from '../../engine-dirs.ts'

/** The inputs of each way to get the CLI. */
export interface BinarySearch {
  env: Env
  /** The version to get. */
  version: string
  /** A folder for this way alone; the caller removes it. */
  dir: string
  /** Fires when another way was faster. */
  signal: AbortSignal
  /** A way without a sign of success within this time fails. */
  sayNoWithinMs: number
  onProgress: (message: string) => void
  /** A test's replacement of Temporal's download service. */
  downloadService?: string
}
