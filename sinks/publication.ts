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

/** A copy of the store for readers, which can always be made again. @throws SinkError */
export interface Publication {
  readonly name: 'duckdb' | 'parquet'
  publish(run: {
    runId: string
    publishedAtMs: number
    coinlakeVersion: string
    /** true: the published files are damaged, so all are written again. */
    isAnew?: boolean
  }): Promise<PublishReport>
}
