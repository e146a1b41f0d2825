import { expect, test } from 'vitest'
import { loadSlices } from '../../activities/load-slices.ts'
import { loadBench, RUN } from './load-bench.ts'

test('all that are in count as loaded, also by an attempt that was killed after its commit', async () => {
  const { deps, plan, page, states } = await loadBench()
  const [usd, eur] = await plan(['usd', 'eur', 'gbp'])
  await page(usd!, 1)
  await page(eur!, 1)
  const killed = { runId: RUN, ordinals: [0], nowMs: deps.clock.nowMs() }
  await deps.store.load(killed, deps.stage)
  const loaded = await loadSlices(deps, { runId: RUN, ordinals: [0, 1, 2] })
  const sliceIds = [usd!.sliceId, eur!.sliceId]
  expect(loaded).toEqual({ slices: 2, rows: 2, notStaged: [2], sliceIds })
  expect(await states()).toEqual(['loaded', 'loaded', 'planned'])
})
