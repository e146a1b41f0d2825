import type { Env } from '../../engine-dirs.ts'

/** The inputs of each way to get the CLI. */
export interface BinarySearch {
  env: Env
  /** The version to get. */
  version: string
  /** A folder of its own to work in; the caller removes it. */
  dir: string
  /** Ends the step: another one was faster. */
  signal: AbortSignal
  /** How long a step may go without a sign of success before it has to say no. */
  sayNoWithinMs: number
  onProgress: (message: string) => void
  /** Instead of Temporal's own; for tests. */
  downloadService?: string
}
