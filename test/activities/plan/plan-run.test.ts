import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../config/values/duration.ts'
import type { OtherRuns } from '../../../activities/activity-deps.ts'
import { removedDatasetError } from '../../../activities/plan/removed-datasets.ts'
import { writeOrder } from '../../../activities/plan/order-file.ts'
import { planRun } from '../../../activities/plan/plan-run.ts'
import { wantedOf } from '../../plan/test-dataset.ts'
import { NOW_MS } from '../fetch/fetch-bench.ts'
import { loadBench } from '../load-bench.ts'

const MIDNIGHT_MS = Math.floor(NOW_MS / DAY_MS) * DAY_MS
const COINS = { entities: ['bitcoin', 'ethereum'], fromMs: MIDNIGHT_MS - 30 * DAY_MS }
const CHARTS = { wanted: [wantedOf({ dataset: 'market_chart', ...COINS })] }

/** Plans a backfill up to a day ago, then a window of a schedule up to now, while `open` runs are open. */
async function planBoth(open: readonly string[]): Promise<unknown[]> {
  const { ordersDir, deps } = await loadBench()
  const asked: unknown[] = []
  const others: OtherRuns = {
    stillOpen: async (runs) => {
      asked.push(runs)
      return runs.map(({ runId }) => runId).filter((runId) => open.includes(runId))
    },
    newestWindowMs: async () => null,
    workflowsId: '',
  }
  const plan = async (runId: string, asOfMs: number, window = {}): Promise<void> => {
    const orderId = await writeOrder(ordersDir, { ...CHARTS, asOfMs })
    await planRun({ ...deps, otherRuns: others }, { runId, orderId, ...window })
  }
  await plan('backfill', MIDNIGHT_MS - DAY_MS)
  await plan('window', MIDNIGHT_MS, { schedule: 'hourly', windowMs: MIDNIGHT_MS })
  expect(asked).toEqual([[], [{ runId: 'backfill', orderId: expect.any(String), schedule: null }]])
  const left = await deps.store.query('SELECT run_id FROM _runs WHERE left_to_others = 2')
  expect(left).toEqual(open.map(() => ({ run_id: 'window' })))
  const ends = await deps.store.query(`SELECT verdict, finished_at FROM _runs ORDER BY started_at`)
  const brokenOff = { verdict: 'cancelled', finished_at: null }
  const isOpen = { verdict: null, finished_at: null }
  expect(ends).toEqual([open.length === 0 ? brokenOff : isOpen, isOpen])
  expect(await deps.store.unfinishedRuns()).toHaveLength(1 + open.length)
  return deps.store.query(
    `SELECT run_id, entity, epoch_ms(from_at)::DOUBLE AS from_ms FROM _slices
     WHERE run_id = 'window' ORDER BY ordinal`,
  )
}

test('what another open run has planned is not planned again: only what is new is', async () => {
  const rows = await planBoth(['backfill'])
  // The other one takes the hour that began then.
  const fromMs = MIDNIGHT_MS - DAY_MS + HOUR_MS
  expect(rows).toEqual([
    { run_id: 'window', entity: 'bitcoin', from_ms: fromMs },
    { run_id: 'window', entity: 'ethereum', from_ms: fromMs },
  ])
})

test('a run that was broken off holds nothing back', async () => {
  const rows = await planBoth([])
  const fromMs = MIDNIGHT_MS - 30 * DAY_MS
  expect(rows.map((row) => (row as { from_ms: number }).from_ms)).toEqual([fromMs, fromMs])
})

test('a dataset that there is no more is planned as one slice, which fails; the others as ever', async () => {
  const { ordersDir, deps } = await loadBench()
  const [chart] = CHARTS.wanted
  const gone = { ...chart!, dataset: 'order_books', fromMs: 0, everyMs: HOUR_MS }
  const order = { wanted: [gone, ...CHARTS.wanted], asOfMs: MIDNIGHT_MS }
  const orderId = await writeOrder(ordersDir, order)
  const { plan, first } = await planRun(deps, { runId: 'r1', orderId })
  expect(plan?.slices).toBe(3)
  expect(plan?.pages).toBeGreaterThanOrEqual(3)
  // With the plan come its first slices: the source is asked one step sooner.
  expect(first).toMatchObject({
    slices: [{ ordinal: 0 }, { ordinal: 1 }, { ordinal: 2 }],
    isEnd: true,
  })
  const [slice] = await deps.store.query(
    `SELECT entity, epoch_ms(from_at)::DOUBLE AS from_ms, epoch_ms(to_at)::DOUBLE AS to_ms, ordinal
     FROM _slices WHERE dataset = 'order_books'`,
  )
  expect(slice).toEqual({
    entity: '',
    from_ms: MIDNIGHT_MS,
    to_ms: MIDNIGHT_MS + HOUR_MS,
    ordinal: 2,
  })
  expect(removedDatasetError('order_books')).toMatchObject({ code: 'DATASET_GONE', exitCode: 2 })
})
