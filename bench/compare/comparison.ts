import { join } from 'node:path'
import type { BenchContext } from '../benchmark.ts'
import type { BenchService } from '../service/bench-service.ts'
import { runCoinlake } from '../coinlake-run.ts'
import type { Pair, Turn } from './comparison-tables.ts'
import { prepareHandPeer } from './script-peers.ts'
import type { Peer } from './peer.ts'
import type { PeerRun } from './peer-run.ts'
import type { Workload } from './workload.ts'

/**
 * Measures a workload in turns: coinlake with a Temporal server started for it, with a running server, with a waiting
 * worker; then the hand-written script. Each runs once with few calls and once with all.
 *
 * @param folder each run keeps a folder of its own in it: removing files would slow the next run
 */
export async function compareSideBySide(
  workload: Workload,
  service: BenchService,
  turnCount: number,
  { folder, print }: Pick<BenchContext, 'folder' | 'print'>,
): Promise<Turn[]> {
  const hand = prepareHandPeer(process.env)
  if (typeof hand === 'string') print(`without the hand-written script: ${hand}`)
  const { few, all } = workload
  let runs = 0
  const workOf = (size: number, dir: string) => ({
    service,
    workload,
    size,
    dir: join(folder, `${dir}-${(runs += 1)}`),
  })
  const pairOf = async <Run extends PeerRun>(
    run: (size: number) => Promise<Run>,
  ): Promise<Pair<Run>> => ({ few: await run(few), all: await run(all) })
  const coinlake = (startedBefore?: 'server' | 'worker') =>
    pairOf((size) =>
      runCoinlake(workOf(size, 'coinlake'), startedBefore === undefined ? {} : { startedBefore }),
    )
  const peer = (one: Peer) => pairOf((size) => one.run(workOf(size, one.name)))
  // The first run fills caches: bundle, page cache, byte code. A user's second run finds them too.
  await runCoinlake(workOf(few, 'coinlake'))
  if (typeof hand !== 'string') await hand.run(workOf(few, hand.name))
  const turns: Turn[] = []
  for (let turn = 1; turn <= turnCount; turn += 1) {
    print(`turn ${turn} of ${turnCount}`)
    turns.push({
      byHand: typeof hand === 'string' ? null : await peer(hand),
      serverStarted: await coinlake(),
      serverUp: await coinlake('server'),
      workerUp: await coinlake('worker'),
    })
  }
  return turns
}
