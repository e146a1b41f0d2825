import { expect, test } from 'vitest'
import { loadSlices } from '../../activities/load-slices.ts'
import { loadBench, RUN } from './load-bench.ts'

test('the stage lets go of what is in, also by an attempt that was killed, and of nothing else', async () => {
  const { deps, plan, page, states } = await loadBench()
  const slices = await plan(['usd', 'eur', 'gbp'])
  const [usd, eur] = slices
  await page(usd!, 1)
  await page(eur!, 1)
  const killed = { runId: RUN, ordinals: [0], nowMs: deps.clock.nowMs() }
  await deps.store.load(killed, deps.stage)
  const released: string[] = []
  const release = async (sliceId: string, generation: number): Promise<void> => {
    released.push(`${sliceId} ${generation}`)
    await deps.stage.release(sliceId, generation)
  }
  const stage = { ...deps.stage, release }
  const loaded = await loadSlices({ ...deps, stage }, { runId: RUN, ordinals: [0, 1, 2] })
  expect(loaded).toEqual({ slices: 2, rows: 2, notStaged: [2] })
  expect(await states()).toEqual(['loaded', 'loaded', 'planned'])
  expect(released.sort()).toEqual([`${usd!.sliceId} 0`, `${eur!.sliceId} 0`].sort())
})
