/** One column that is compared: as what its values are read, whatever type a peer has chosen. */
export interface WorkloadColumn {
  name: string
  /** `time` = epoch ms. */
  kind: 'text' | 'double' | 'time'
}

export type WorkloadRow = readonly (string | number | null)[]

/** How much slower than a peer coinlake may be. */
export interface WorkloadGoals {
  /** Whole process to the script, a Temporal server started for it. */
  started: number
  /** The same with a server that was there before. */
  up: number
  /** The same, done by a worker that waits for work; null = no goal. */
  handed: number | null
  /** Steady state to the script; null = no goal. */
  steady: number | null
}

/** Work that everybody does: calls to the service of bench-service.ts, the rows of their answers into a DuckDB file. */
export interface Workload {
  name: 'w1' | 'w2'
  /** The use of `all`, for people. */
  title: string
  /** The unit of a workload's size. */
  unit: 'pages' | 'coins'
  /** Of a small run: what a run takes whatever its size, and nearly nothing else. */
  few: number
  all: number
  goals: WorkloadGoals
  /** Of how many rows the steady state is told. */
  steadyRows: number
  /** The service's address for clients, without the `/v2`. */
  baseUrl(serviceUrl: string, size: number): string
  /** The lines below `datasets:` in coinlake.yaml. */
  datasets(size: number): string
  table: string
  /** The first `keyLength` are the key. */
  columns: readonly WorkloadColumn[]
  keyLength: number
  /** The rows in the service's bodies, in the order of the columns. */
  rows(size: number): Iterable<WorkloadRow>
}
