import type { BenchService } from '../service/bench-service.ts'
import type { PeerRun } from './peer-run.ts'
import type { Workload } from './workload.ts'

/** The task of a peer. */
export interface PeerWork {
  service: BenchService
  workload: Workload
  /** Number of pages or coins. */
  size: number
  /** Folder for all files of the peer. */
  dir: string
  /** true = the same command runs again over its result; false = `dir` is emptied before. */
  isAgain?: boolean
}

/** The rows of a peer, and how to read them as the workload's columns. */
export interface PeerTable {
  /** A DuckDB file. */
  file: string
  /** SELECT of the workload's columns, in the types of the peer. */
  query: string
  /** A Python whose DuckDB can read the file; null = ours can. */
  python: string | null
  /** SQL condition for the rows that the peer was asked for. Default: all. */
  asked?: string
}

/** A peer that is ready to run. */
export interface Peer {
  name: string
  /** @throws Error with the end of a peer that failed */
  run(work: PeerWork): Promise<PeerRun>
  table(work: PeerWork): PeerTable
}
