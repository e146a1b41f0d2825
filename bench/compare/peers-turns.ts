import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchContext } from '../benchmark.ts'
import type { BenchService } from '../service/bench-service.ts'
import type { Peer, PeerWork, PeerRun } from './peer.ts'
import { comparePeerValues, countPeerRows } from './peer-values.ts'
import type { PeerFault, PeerResult } from './peers-tables.ts'
import type { Workload } from './workload.ts'

export const TURNS = 3
/** A peer with its name in the tables. */
export type NamedPeer = Peer & { name: string }

/** A peer that takes more CPU gets one turn: the machine's load would change between its turns. */
export const LONG_TURN_CPU_S = 20

/**
 * Runs all peers in turns, so that a slower machine slows all of them. Then compares the values of each, and runs it
 * again. A peer that fails takes no further part.
 *
 * @param folder each peer gets a folder of its own in it
 */
export async function measureInTurns(
  workload: Workload,
  service: BenchService,
  ready: readonly NamedPeer[],
  { folder, print }: Pick<BenchContext, 'folder' | 'print'>,
): Promise<{ results: PeerResult[]; faults: PeerFault[] }> {
  const faults: PeerFault[] = []
  const works = ready.map((peer) => ({
    peer,
    runs: [] as PeerRun[],
    work: { service, workload, size: workload.all, dir: join(folder, peer.name) } as PeerWork,
  }))
  type Work = (typeof works)[number]
  const failed = new Set<NamedPeer>()
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
        // Drops the calls of the failed peer.
        await service.takeTimes()
      }
    }
  }
  // The first run fills caches: byte code, page cache, bundle. A user's second run finds them too.
  await each('first run', async ({ peer, work }) => {
    await peer.run({ ...work, size: workload.few })
  })
  for (let turn = 1; turn <= TURNS; turn += 1) {
    await each(`turn ${turn}`, async ({ peer, work, runs }) => {
      if (runs.some(({ whole }) => whole.cpuS > LONG_TURN_CPU_S)) return
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
