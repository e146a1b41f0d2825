import { Client } from '@temporalio/client'
import { asActivity } from '../activities/as-activity.ts'
import type { FetchActivities, LoadActivities } from '../activities/activity-types.ts'
import { connectEngine } from '../engine/connect.ts'
import { queueNames } from '../engine/queues.ts'
import { workflowBundle } from '../engine/workflow-bundle.ts'
import { startWorkers } from '../engine/workers.ts'
import { noTotals } from '../workflows/messages.ts'
import type { LaneInput } from '../workflows/messages.ts'
import { POINTS_PER_CALL } from './chart-bodies.ts'

// A process for floor.ts: `node floor-lane.ts <folder of the server> <pages>`. A lane of an export with the workers
// that it has in `coinlake backfill`, whose activities answer at once. Prints the milliseconds of the lane.

/** Pages in flight, as a configuration has it by default. */
const CONCURRENCY = 16
const KEY_ID = 'floor'

const [stateDir = '', pagesText = ''] = process.argv.slice(2)
const pages = Number(pagesText)

const fetching: Pick<FetchActivities, 'fetchPage'> = {
  fetchPage: asActivity(async ({ slice }) => ({
    kind: 'page',
    calls: 1,
    itemCount: POINTS_PER_CALL,
    rowCount: POINTS_PER_CALL,
    bytes: slice.sliceId.length,
    observedAtMs: Date.now(),
    requestedAtMs: Date.now(),
    next: null,
  })),
}
const loading: Pick<LoadActivities, 'nextSlices' | 'loadSlices'> = {
  nextSlices: asActivity(async ({ after, limit }) => {
    const first = after + 1
    const count = Math.min(limit, pages - first)
    const slices = Array.from({ length: count }, (_, place) => sliceOf(first + place))
    return { slices, isEnd: first + count >= pages }
  }),
  loadSlices: asActivity(async ({ ordinals }) => ({
    slices: ordinals.length,
    rows: ordinals.length * POINTS_PER_CALL,
    notStaged: [],
  })),
}

const engine = await connectEngine({ env: process.env, isolated: { stateDir } })
const nativeConnection = await engine.connectNative((level, message) =>
  process.stderr.write(`${level} ${message}\n`),
)
const { codePath } = await workflowBundle({ env: process.env })
const { namespace, connection } = engine
const queues = queueNames({ keyId: KEY_ID, warehouseId: 'floor' })
const workers = await startWorkers({
  nativeConnection,
  namespace,
  queues,
  roles: ['workflows', 'fetch', 'load'],
  // What a lane without faults asks for.
  activities: { fetch: fetching as FetchActivities, load: loading as LoadActivities },
  concurrency: CONCURRENCY,
  lostAfterMs: engine.lostAfterMs,
  bundle: { codePath },
})
try {
  const client = new Client({ connection, namespace })
  const startedAtMs = performance.now()
  const { slicesLoaded } = await client.workflow.execute<
    (input: LaneInput) => Promise<LaneInput['done']>
  >('exportLane', {
    workflowId: `floor-${pages}-${Date.now()}`,
    taskQueue: queues.workflows,
    args: [laneInput()],
  })
  if (slicesLoaded !== pages) throw new Error(`${slicesLoaded} of ${pages} slices`)
  process.stdout.write(`${JSON.stringify({ laneMs: performance.now() - startedAtMs })}\n`)
} finally {
  await workers.shutdown()
  await nativeConnection.close()
  await engine.close()
}

function laneInput(): LaneInput {
  return {
    runId: 'floor',
    stageDir: stateDir,
    lane: 0,
    lanes: 1,
    inFlight: CONCURRENCY,
    queues: {
      fetch: [{ keyId: KEY_ID, queue: queues.fetch }],
      load: queues.load,
      control: queues.control,
    },
    kind: 'backfill',
    after: -1,
    paused: false,
    done: noTotals,
    lostKeys: [],
  }
}

function sliceOf(ordinal: number) {
  return {
    dataset: 'market_chart',
    entity: `coin-${ordinal}`,
    vsCurrency: 'usd',
    granularity: '1h' as const,
    fromMs: 0,
    toMs: 90 * 86_400_000,
    sliceId: ordinal.toString(16).padStart(20, '0'),
    generation: 0,
    ordinal,
  }
}
