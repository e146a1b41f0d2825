import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PEERS } from './all-peers.ts'
import type { PeerCandidate } from './all-peers.ts'
import { BenchUsageError } from './benchmark.ts'
import type { Benchmark, BenchContext, BenchFigures } from './benchmark.ts'
import { startBenchService } from './bench-service.ts'
import type { BenchService } from './bench-service.ts'
import type { FigureTable } from './figure-table.ts'
import type { Peer, PeerWork } from './peer.ts'
import type { PeerRun } from './peer-run.ts'
import { comparePeerValues, countPeerRows } from './peer-values.ts'
import { costTable, faultTable, truthTable, wrongTable } from './peers-tables.ts'
import type { PeerFault, PeerResult } from './peers-tables.ts'
import { W1 } from './w1-workload.ts'
import { W2 } from './w2-workload.ts'
import type { Workload } from './workload.ts'

const WORKLOADS = [W1, W2]
const TURNS = 3
/** Who takes longer is measured once. */
const LONG_TURN_S = 20

/** The same work by everybody else. */
export const peers: Benchmark = {
  name: 'peers',
  measures:
    'W1 and W2 by dlt, sling, a script by hand and the bound: time, memory, every value, a second run',
  args: '[w1] [w2] [part of a name ...]',
  takes: '12 min',
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
      const found = await measureWorkload(workload, service, ready, folder, print)
      const label = workload.name.toUpperCase()
      faults.push(
        ...found.faults.map(({ peer, reason }) => ({ peer: `${peer}, ${label}`, reason })),
      )
      const { results } = found
      tables.push(
        costTable(workload.title, results),
        truthTable(`${label}: what is in their tables, and the same command again`, results),
        ...[wrongTable(`${label}: columns with wrong values`, results) ?? []].flat(),
      )
    }
  } finally {
    await service.stop()
  }
  tables.push(...[faultTable('left out', faults) ?? []].flat())
  return {
    scenario: `Whole processes, medians of ${TURNS} turns; one turn where it takes longer than ${LONG_TURN_S} s`,
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

/** All in turns, so that a machine that grows slower does so for everybody. */
async function measureWorkload(
  workload: Workload,
  service: BenchService,
  ready: readonly Peer[],
  folder: string,
  print: (line: string) => void,
): Promise<{ results: PeerResult[]; faults: PeerFault[] }> {
  const faults: PeerFault[] = []
  const works = ready.map((peer) => ({
    peer,
    runs: [] as PeerRun[],
    work: { service, workload, size: workload.all, dir: join(folder, peer.name) } as PeerWork,
  }))
  type Work = (typeof works)[number]
  const failed = new Set<Peer>()
  const each = async (what: string, step: (one: Work) => Promise<void>): Promise<void> => {
    for (const one of works) {
      if (failed.has(one.peer)) continue
      try {
        await step(one)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        print(`${workload.name}, ${one.peer.name}, ${what}: ${reason}`)
        faults.push({ peer: one.peer.name, reason })
        failed.add(one.peer)
        // What it had asked for until then is nobody's.
        await service.takeTimes()
      }
    }
  }
  // The first run fills caches (byte code, page cache, bundle) that a second run of a user also finds.
  await each('first run', async ({ peer, work }) => {
    await peer.run({ ...work, size: workload.few })
  })
  for (let turn = 1; turn <= TURNS; turn += 1) {
    await each(`turn ${turn}`, async ({ peer, work, runs }) => {
      if (runs.some(({ wallS }) => wallS > LONG_TURN_S)) return
      const run = await peer.run(work)
      runs.push(run)
      print(`${workload.name}, ${peer.name}, turn ${turn}: ${run.wallS.toFixed(2)} s`)
    })
  }
  const results: PeerResult[] = []
  await each('values and second run', async ({ peer, work, runs }) => {
    const scratch = join(folder, 'values')
    mkdirSync(scratch, { recursive: true })
    const table = peer.table(work)
    const values = await comparePeerValues(workload, workload.rows(work.size), table, scratch)
    const { calls } = await peer.run({ ...work, isAgain: true })
    const rows = await countPeerRows(table, scratch)
    results.push({ peer: peer.name, runs, values, again: { calls, rows } })
    rmSync(work.dir, { recursive: true, force: true })
  })
  return { results, faults }
}
