import { BY_HAND } from './all-peers.ts'
import { figure, type FigureTable } from '../figure-table.ts'
import type { PeerRun } from './peer.ts'
import type { ValueCheck } from './peer-values.ts'
import { median } from '../median.ts'

const MIB = 1024 * 1024

/** The result of one peer with one workload. */
export interface PeerResult {
  peer: string
  runs: PeerRun[]
  values: ValueCheck
  /** The same command run again over its result. */
  again: { calls: number; rows: number }
}

/** A peer that was not available or failed, and why. */
export interface PeerFault {
  peer: string
  reason: string
}

/**
 * The cost of each peer: medians of its turns, also as a ratio to the peer `by hand`. CPU time is comparable even on a busy
 * machine.
 */
export function costTable(title: string, results: readonly PeerResult[]): FigureTable {
  const wallS = ({ runs }: PeerResult): number => median(runs.map((run) => run.wallS))
  const cpuS = ({ runs }: PeerResult): number => median(runs.map(({ whole }) => whole.cpuS))
  const hand = results.find(({ peer }) => peer === BY_HAND)
  return {
    title,
    columns: [
      { name: 'wall', unit: 's', decimals: 2 },
      { name: 'wall to script', decimals: 2 },
      { name: 'CPU', unit: 's', decimals: 2 },
      { name: 'CPU to script', decimals: 2 },
      { name: 'peak', unit: 'MiB', decimals: 0 },
      { name: 'rows/s', decimals: 0 },
      { name: 'turns' },
    ],
    rows: results.map((result) => ({
      name: result.peer,
      cells: [
        figure(wallS(result)),
        figure(hand === undefined ? undefined : wallS(result) / wallS(hand)),
        figure(cpuS(result)),
        figure(hand === undefined ? undefined : cpuS(result) / cpuS(hand)),
        figure(median(result.runs.map(({ whole }) => whole.peakRssBytes)) / MIB),
        figure(result.values.rows / wallS(result)),
        result.runs.length,
      ],
    })),
  }
}

const IN_TABLES = ['rows', 'missing', 'unexpected', 'twice', 'with a wrong value']
const TRUTH_COLUMNS = [...IN_TABLES, 'calls', 'calls again', 'rows after']

/** The rows in the peers' tables against the service's answers, and the cost of a second run. */
export function truthTable(title: string, results: readonly PeerResult[]): FigureTable {
  return {
    title,
    columns: TRUTH_COLUMNS.map((name) => ({ name })),
    rows: results.map(({ peer, runs, values, again }) => ({
      name: peer,
      cells: [
        values.rows,
        values.missing,
        values.unexpected,
        values.twice,
        values.wrong,
        runs.at(-1)?.calls ?? null,
        again.calls,
        again.rows,
      ],
    })),
  }
}

/** The peers without a result, and why; no table if there is none. */
export function faultTable(title: string, faults: readonly PeerFault[]): FigureTable[] {
  const rows = faults.map(({ peer, reason }) => ({ name: peer, cells: [reason] }))
  return rows.length === 0 ? [] : [{ title, columns: [{ name: 'why' }], rows }]
}
