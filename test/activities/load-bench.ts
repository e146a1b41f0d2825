import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { StoreDeps } from '../../activities/activity-deps.ts'
import { writeOrder } from '../../activities/plan/order-file.ts'
import { type Clock, frozenClock } from '../../config/clock.ts'
import { datasetByName, datasets } from '../../datasets/index.ts'
import type { Slice } from '../../datasets/dataset.ts'
import type { PlannedSlice } from '../../plan/planned-slice.ts'
import { openStore } from '../../sinks/duckdb-store/open-store.ts'
import { remakePages } from '../../sinks/replay/remake-page.ts'
import { openStage } from '../../stage/open-stage.ts'
import { coins, MARKETS, NOW_MS } from './fetch/fetch-bench.ts'
import { tempDir } from '../parts/temp-dir.ts'

export const RUN = 'run-1'

/** The loading side of a worker with a real store and a real stage on disk. */
export async function loadBench(clock: Clock = frozenClock(NOW_MS)) {
  const dir = tempDir()
  const store = await openStore({
    file: join(dir, 'store.duckdb'),
    datasets,
    coinlakeVersion: '0.0.0',
    clock,
  })
  onTestFinished(() => store.close())
  const stageDir = join(dir, 'stage')
  const ordersDir = join(dir, 'orders')
  await mkdir(ordersDir)
  const remake = remakePages({ datasets, maxHistoryDays: null })
  const stage = openStage({ dir: stageDir, keep: 'forever', remake })
  const deps: StoreDeps = {
    clock,
    config: { source: { maxHistoryDays: null } } as StoreDeps['config'],
    stage,
    store,
    publications: [],
    stageDir,
    ordersDir,
    runsDir: join(dir, 'runs'),
    coinlakeVersion: '0.0.0',
  }
  return {
    dir,
    ordersDir,
    deps,
    /** Plans market listings in these currencies as a run, in order. */
    plan: async (currencies: readonly string[], runId = RUN): Promise<PlannedSlice[]> => {
      const orderId = await writeOrder(ordersDir, { wanted: [] })
      const run = { runId, orderId, startedAtMs: NOW_MS, coinlakeVersion: '0.0.0' }
      const slices = currencies.map((vsCurrency): Slice => ({ ...MARKETS, vsCurrency }))
      await store.writePlan(run, slices)
      return store.nextSlices({ runId, after: -1, limit: 100 })
    },
    /** Stages one page of a market listing, the last one unless it is said what follows. */
    page: async (
      slice: PlannedSlice,
      page: number,
      more: { isLast?: boolean; calls?: number; body?: unknown[]; requestedAtMs?: number } = {},
    ): Promise<void> => {
      const { isLast = true, calls = 1, body = coins(2, page * 2), requestedAtMs = NOW_MS } = more
      const dataset = datasetByName(slice.dataset)!
      const context = { nowMs: NOW_MS, attempt: 1, maxHistoryDays: null } as const
      const [step] = dataset.steps(slice, context)
      expect(step).toBeDefined()
      const itemsBefore = (page - 1) * step!.perPage
      const at = { itemsBefore, observedAtMs: NOW_MS, nowMs: NOW_MS }
      const { tables, ...facts } = dataset.toTables(body, { slice, step: step!, ...at })
      const { sliceId, generation, ordinal: _, ...plain } = slice
      await stage.write({
        facts: {
          ...facts,
          itemsSoFar: itemsBefore + facts.itemCount,
          key: { sliceId, generation, step: 0, page },
          slice: plain,
          operation: 'coins/markets',
          url: `http://x/v2/coins/markets?page=${page}`,
          status: 200,
          requestedAtMs,
          fetchedAtMs: NOW_MS,
          durationMs: 1,
          calls,
          observedAtMs: NOW_MS,
          next: isLast ? null : { step: 0, page: page + 1 },
        },
        rawBody: new TextEncoder().encode(JSON.stringify(body)),
        tables,
      })
    },
    requests: (): Promise<unknown[]> =>
      store.query('SELECT slice_id, url, code, calls FROM _requests ORDER BY slice_id, url'),
    states: async (): Promise<string[]> =>
      (await store.query('SELECT state FROM _slices ORDER BY run_id, ordinal')).map(({ state }) =>
        String(state),
      ),
  }
}
