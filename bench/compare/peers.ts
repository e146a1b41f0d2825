import { PEERS } from './all-peers.ts'
import type { Benchmark, BenchContext, BenchFigures } from '../benchmark.ts'
import { startBenchService } from '../service/bench-service.ts'
import type { FigureTable } from '../figure-table.ts'
import { costTable, faultTable, truthTable, type PeerFault } from './peers-tables.ts'
import { LONG_TURN_CPU_S, measureInTurns, TURNS, type NamedPeer } from './peers-turns.ts'
import { W1 } from './w1-workload.ts'
import { W2 } from './w2-workload.ts'

export const peers: Benchmark = {
  name: 'peers',
  measures:
    'W1 and W2 by dlt, sling, a script by hand and the bound: time, memory, every value, a second run',
  args: '',
  takes: '8 min',
  run: measurePeers,
}

async function measurePeers({ folder, print }: BenchContext): Promise<BenchFigures> {
  const ready: NamedPeer[] = []
  const faults: PeerFault[] = []
  for (const { name, prepare } of PEERS) {
    const peer = prepare()
    if (typeof peer === 'string') faults.push({ peer: name, reason: peer })
    else ready.push({ ...peer, name })
  }
  const tables: FigureTable[] = []
  const service = await startBenchService({ charts: W2.all, marketPages: W1.all })
  try {
    for (const workload of [W1, W2]) {
      const found = await measureInTurns(workload, service, ready, { folder, print })
      const label = workload.name.toUpperCase()
      faults.push(
        ...found.faults.map(({ peer, reason }) => ({ peer: `${peer}, ${label}`, reason })),
      )
      const { results } = found
      tables.push(
        costTable(workload.title, results),
        truthTable(`${label}: what is in their tables, and the same command again`, results),
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
