import type { BenchService } from '../service/bench-service.ts'
import type { PeerRun } from './peer-run.ts'
import type { Workload } from './workload.ts'

/** The task of a peer. */
export interface PeerWork {
  service: BenchService
  workload: Workload
  /** Pages or coins. */
  size: number
  /** For all that it writes. */
  dir: string
  /** The same command once more over what is there; else `dir` is emptied before. */
  isAgain?: boolean
}

/** Where the rows are, and how they are read as the columns of the workload. */
export interface PeerTable {
  /** A DuckDB file. */
  file: string
  /** Gives the workload's columns by name, in whatever types the peer has chosen. */
  query: string
  /** A Python with the DuckDB that can read the file, where it is newer than ours; null = ours can. */
  python: string | null
  /** Which of the expected rows the peer was asked for: SQL over the workload's columns. Default: all. */
  asked?: string
}

/** Somebody who does the work, ready to be run. */
export interface Peer {
  name: string
  /** @throws Error that says how it ended, where that was not well */
  run(work: PeerWork): Promise<PeerRun>
  table(work: PeerWork): PeerTable
}
