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
  }): Promise<PublishReport>
  /**
   * Told that there will be something new to publish: does what needs none of it, beside other work.
   * Never fails; what could not be done is done by `publish`, which waits for the rest.
   */
  prepare(): Promise<void>
  /** Waits for what `prepare` began and removes what was not used. */
  close(): Promise<void>
}
