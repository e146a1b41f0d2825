import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stopServer } from '../engine/lease-server.ts'
import { startBenchService } from './bench-service.ts'
import type { Benchmark, BenchContext, BenchFigures } from './benchmark.ts'
import { boundPeer } from './bound-peer.ts'
import { TEMPORAL, WORKER } from './coinlake-run.ts'
import { figure } from './figure-table.ts'
import type { FigureTable } from './figure-table.ts'
import { prepareHandPeer } from './hand-peer.ts'
import { measureTree } from './measure.ts'
import type { Peer } from './peer.ts'
import { median } from './table.ts'
import { W2 } from './w2-workload.ts'

const FEW_PAGES = 200
const MANY_PAGES = 2_000
const TURNS = 3
const MIB = 1024 * 1024
/** As `bin/coinlake.js` starts a backfill. */
const YOUNG_SPACE = '--max-semi-space-size=16'

/** What Temporal takes for pages with which nothing is done. */
export const floor: Benchmark = {
  name: 'floor',
  measures:
    'pages with which nothing is done, what Temporal takes of a run, beside whole pages of W2',
  args: '',
  takes: '2 min',
  run: measureFloor,
}

interface FloorRun {
  laneMs: number
  workerCpuS: number
  serverCpuS: number
  workerBytes: number
  serverBytes: number
}

/** What a page more takes, ms: of the floor, and of those who do the whole work of W2. */
interface Page {
  wall: number
  workerCpu: number
  serverCpu: number
  byHand: number
  bound: number
}

/**
 * The lane of a run with its workers and its server, from few pages to many; no page is asked for or kept. In
 * the same turns a page of W2 by the script and by the bound.
 */
async function measureFloor({ folder, print }: BenchContext): Promise<BenchFigures> {
  const hand = prepareHandPeer(process.env)
  if (typeof hand === 'string') print(`without the script: ${hand}`)
  const service = await startBenchService({ charts: W2.all, marketPages: 0 })
  const pages: Page[] = []
  const largest: FloorRun[] = []
  try {
    // The first run fills caches that a second run of a user also finds.
    await runLane(join(folder, 'first'), FEW_PAGES)
    for (let turn = 1; turn <= TURNS; turn += 1) {
      print(`turn ${turn} of ${TURNS}`)
      const few = await runLane(join(folder, `few-${turn}`), FEW_PAGES)
      const many = await runLane(join(folder, `many-${turn}`), MANY_PAGES)
      const of = (get: (run: FloorRun) => number): number =>
        (get(many) - get(few)) / (MANY_PAGES - FEW_PAGES)
      const peerMs = async (peer: Peer): Promise<number> => {
        const dir = join(folder, `${peer.name}-${turn}`)
        const runOf = (size: number) => peer.run({ service, workload: W2, size, dir })
        const [least, whole] = [await runOf(W2.few), await runOf(W2.all)]
        return ((whole.workS - least.workS) * 1000) / (W2.all - W2.few)
      }
      largest.push(many)
      pages.push({
        wall: of(({ laneMs }) => laneMs),
        workerCpu: of(({ workerCpuS }) => workerCpuS * 1000),
        serverCpu: of(({ serverCpuS }) => serverCpuS * 1000),
        byHand: typeof hand === 'string' ? NaN : await peerMs(hand),
        bound: await peerMs(boundPeer()),
      })
    }
  } finally {
    await service.stop()
  }
  return {
    scenario: `A lane of ${FEW_PAGES} and of ${MANY_PAGES} pages, 16 in flight, nothing fetched or kept; W2 of ${W2.few} and ${W2.all} calls; medians of ${TURNS}`,
    tables: floorTables(pages, largest),
  }
}

function floorTables(pages: readonly Page[], largest: readonly FloorRun[]): FigureTable[] {
  const middle = (of: (page: Page) => number): number | null => figure(median(pages.map(of)))
  const peakMib = (of: (run: FloorRun) => number): number | null =>
    figure(median(largest.map((run) => of(run) / MIB)))
  const ms = { unit: 'ms', decimals: 2 }
  const mib = { unit: 'MiB', decimals: 0 }
  return [
    {
      title: '',
      rowsAre: 'a page more',
      columns: [{ name: '' }],
      rows: [
        { name: 'floor, wall', ...ms, cells: [middle(({ wall }) => wall)] },
        { name: '  CPU of the worker', ...ms, cells: [middle((page) => page.workerCpu)] },
        { name: '  CPU of Temporal', ...ms, cells: [middle((page) => page.serverCpu)] },
        { name: 'W2 by hand, wall', ...ms, cells: [middle(({ byHand }) => byHand)] },
        { name: 'W2 by the bound, wall', ...ms, cells: [middle(({ bound }) => bound)] },
        {
          name: 'floor to the script',
          decimals: 2,
          cells: [middle((page) => page.wall / page.byHand)],
        },
        {
          name: 'floor to the bound',
          decimals: 2,
          cells: [middle((page) => page.wall / page.bound)],
        },
        { name: 'peak of the worker', ...mib, cells: [peakMib((run) => run.workerBytes)] },
        { name: 'peak of Temporal', ...mib, cells: [peakMib((run) => run.serverBytes)] },
      ],
    },
  ]
}

async function runLane(dir: string, pages: number): Promise<FloorRun> {
  mkdirSync(dir, { recursive: true })
  const lane = fileURLToPath(new URL('./floor-lane.ts', import.meta.url))
  try {
    const { exitCode, stdout, stderr, groups } = await measureTree(
      process.execPath,
      [YOUNG_SPACE, lane, dir, String(pages)],
      { cwd: dir, env: process.env, groupOf: (isRoot) => (isRoot ? WORKER : TEMPORAL) },
    )
    if (exitCode !== 0) throw new Error(`the lane ended with ${exitCode}: ${stderr}`)
    const { laneMs } = JSON.parse(stdout) as { laneMs: number }
    const [worker, server] = [groups.get(WORKER), groups.get(TEMPORAL)]
    return {
      laneMs,
      workerCpuS: worker?.cpuS ?? NaN,
      serverCpuS: server?.cpuS ?? NaN,
      workerBytes: worker?.highWaterBytes ?? NaN,
      serverBytes: server?.highWaterBytes ?? NaN,
    }
  } finally {
    await stopServer(dir)
  }
}
