import { PEERS } from './all-peers.ts'
import type { PeerCandidate } from './all-peers.ts'
import { BenchUsageError } from '../benchmark.ts'
import type { Benchmark, BenchContext, BenchFigures } from '../benchmark.ts'
import { startBenchService } from '../service/bench-service.ts'
import type { FigureTable } from '../figure-table.ts'
import type { Peer } from './peer.ts'
import { costTable, faultTable, truthTable, wrongTable } from './peers-tables.ts'
import type { PeerFault } from './peers-tables.ts'
import { LONG_TURN_CPU_S, measureInTurns, TURNS } from './peers-turns.ts'
import { W1 } from './w1-workload.ts'
import { W2 } from './w2-workload.ts'
import type { Workload } from './workload.ts'

const WORKLOADS = [W1, W2]

export const peers: Benchmark = {
  name: 'peers',
  measures:
    'W1 and W2 by dlt, sling, a script by hand and the bound: time, memory, every value, a second run',
  args: '[w1] [w2] [part of a name ...]',
  takes: '8 min',
  run: measurePeers,
}

async function measurePeers({ folder, args, print }: BenchContext): Promise<BenchFigures> {
  const { workloads, candidates } = chosen(args)
  const ready: Peer[] = []
  const unready: PeerFault[] = []
  for (const { name, prepare } of candidates) {
    const peer = prepare(process.env)
    if (typeof peer === 'string') unready.push({ peer: name, reason: peer })
    else ready.push(peer)
  }
  const tables: FigureTable[] = []
  const faults = unready
  const service = await startBenchService({ charts: W2.all, marketPages: W1.all })
  try {
    for (const workload of workloads) {
      const found = await measureInTurns(workload, service, ready, { folder, print })
      const label = workload.name.toUpperCase()
      faults.push(
        ...found.faults.map(({ peer, reason }) => ({ peer: `${peer}, ${label}`, reason })),
      )
      const { results } = found
      tables.push(
        costTable(workload.title, results),
        truthTable(`${label}: what is in their tables, and the same command again`, results),
        ...wrongTable(`${label}: columns with wrong values`, results),
      )
    }
  } finally {
    await service.stop()
  }
  tables.push(...faultTable('left out', faults))
  return {
    scenario: `Whole processes, medians of ${TURNS} turns; only one turn for peers that take more than ${LONG_TURN_CPU_S} s of CPU`,
    tables,
    ...(ready.length === 0 ? { failure: 'no peer could be had' } : {}),
  }
}

function chosen(args: readonly string[]): {
  workloads: readonly Workload[]
  candidates: readonly PeerCandidate[]
} {
  const named = WORKLOADS.filter(({ name }) => args.includes(name))
  const parts = args.filter((arg) => !WORKLOADS.some(({ name }) => name === arg))
  for (const part of parts) {
    if (PEERS.some(({ name }) => name.includes(part))) continue
    throw new BenchUsageError(
      `no peer ${JSON.stringify(part)}; there are: ${PEERS.map(({ name }) => name).join('; ')}`,
    )
  }
  const isChosen = ({ name }: PeerCandidate): boolean =>
    parts.length === 0 || parts.some((part) => name.includes(part))
  return {
    workloads: named.length === 0 ? WORKLOADS : named,
    candidates: PEERS.filter(isChosen),
  }
}
