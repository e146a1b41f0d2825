import type { BenchService, ServiceCalls } from '../service/bench-service.ts'
import type { Measured } from '../machine/measure.ts'
import type { TreeUse } from '../machine/process-sampler.ts'
import type { Workload } from './workload.ts'

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
  /** @throws Error with the output of a failed peer */
  run(work: PeerWork): Promise<PeerRun>
  table(work: PeerWork): PeerTable
}

/** One run of one peer, in seconds and rows. */
export interface PeerRun extends TreeUse {
  rows: number
  calls: number
  /** The whole process, from its start to its end. */
  wallS: number
  /** From the start of the process to the first request, as the service saw it. */
  startUpS: number
  /** From the first request to the end of the process: fetching, writing, closing. */
  workS: number
}

/** Combines the measurement of the process with the times that the service saw. */
export function peerRun(measured: Measured, times: ServiceCalls, rows: number): PeerRun {
  const { startedAtMs, endedAtMs, whole, root, descendants } = measured
  return {
    rows,
    calls: times.calls,
    wallS: (endedAtMs - startedAtMs) / 1000,
    startUpS: (times.firstAtMs - startedAtMs) / 1000,
    workS: (endedAtMs - times.firstAtMs) / 1000,
    whole,
    root,
    descendants,
  }
}

/** A peer's runs of a small and a large work. */
export interface Pair<Run extends PeerRun> {
  /** Few calls: mostly the fixed cost of a run. */
  few: Run
  all: Run
}

/** Runs the small work, then the large one. */
export async function pairOf<Run extends PeerRun>(
  { few, all }: { few: number; all: number },
  run: (size: number) => Promise<Run>,
): Promise<Pair<Run>> {
  return { few: await run(few), all: await run(all) }
}

/** Rows a second in the steady state: the further rows of the larger run, by its further time. */
export function steadyRowsPerS({ few, all }: Pair<PeerRun>): number {
  return (all.rows - few.rows) / (all.wallS - few.wallS)
}
