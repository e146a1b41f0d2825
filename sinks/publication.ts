/** Paths are absolute. */
export interface PublishReport {
  publication: string
  path: string
  /** false: nothing had changed since the last publication. */
  changed: boolean
  files: number
  rows: number
  sizeBytes: number
  durationMs: number
  /** Warnings for the user, one sentence each. */
  warnings?: string[]
}

/** The parts of a report that the kind of publication decides. */
export type PublishOutcome = Omit<PublishReport, 'publication' | 'path' | 'durationMs'>

/** The run that publishes. */
export interface PublishRun {
  runId: string
  publishedAtMs: number
  coinlakeVersion: string
  /** true: the published files are damaged, so all are written again. */
  isAnew?: boolean
}

/** A copy of the store for readers, which can always be made again. @throws SinkError */
export interface Publication {
  readonly name: 'duckdb' | 'parquet'
  publish(run: PublishRun): Promise<PublishReport>
}
