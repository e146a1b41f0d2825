/** What a publication did. Paths are absolute. */
export interface PublishReport {
  publication: string
  path: string
  /** false when nothing had changed since the last one. */
  changed: boolean
  files: number
  rows: number
  sizeBytes: number
  durationMs: number
  /** What the user should know, one sentence each; absent when there is nothing. */
  warnings?: string[]
}

/** What readers open, made from the store; can always be made again. @throws SinkError */
export interface Publication {
  readonly name: 'duckdb' | 'parquet'
  publish(run: {
    runId: string
    publishedAtMs: number
    coinlakeVersion: string
    /** What is published counts for nothing: it is damaged. */
    isAnew?: boolean
  }): Promise<PublishReport>
}
