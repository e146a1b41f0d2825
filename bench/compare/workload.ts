/** A column to compare. Its values are read as `kind`, whatever the peer's type. */
export interface WorkloadColumn {
  name: string
  /** `time` = epoch ms. */
  kind: 'text' | 'double' | 'time'
}

export type WorkloadRow = readonly (string | number | null)[]

/** Work for all peers: calls to the service of bench-service.ts, and the rows of the answers into a DuckDB file. */
export interface Workload {
  name: 'w1' | 'w2'
  /** The full workload, for people. */
  title: string
  /** Size of a small run: nearly all fixed cost. */
  few: number
  all: number
  /** Upper bounds of coinlake's time over that of the script by hand. */
  goals: {
    /** Whole process, with a Temporal server started for it. */
    serverStarted: number
    /** Whole process, with a running server. */
    serverUp: number
    /** Whole process, with a resident worker; null = not measured. */
    workerUp: number | null
    /** Steady state; null = no goal. */
    steady: number | null
  }
  /** Number of rows for which the steady state is shown. */
  steadyRows: number
  /** The service's address for clients, without the `/v2`. */
  baseUrl(serviceUrl: string, size: number): string
  /** The lines below `datasets:` in coinlake.yaml. */
  datasets(size: number): string
  /** Flags of `backfill` for one call that the work does not make: a resident worker has made it before. */
  callBefore: readonly string[]
  table: string
  /** The first `keyLength` are the key. */
  columns: readonly WorkloadColumn[]
  keyLength: number
  /** The rows in the service's bodies, in the order of the columns. */
  rows(size: number): Iterable<WorkloadRow>
}
