import { expect, test } from 'vitest'
import type { StoreDeps } from '../../../activities/activity-deps.ts'
import { universePage } from '../../../activities/fetch/fetch-universe.ts'
import { freezeUniverse } from '../../../activities/plan/plan-run.ts'
import { coins, type FetchBench, fetchBench, freePageCalls, NOW_MS } from './fetch-bench.ts'

/** Freezes from the stage of a bench; what reached the store. */
async function freeze(bench: FetchBench, selector: string): Promise<unknown[]> {
  const frozen: unknown[] = []
  const store = {
    freezeUniverse: async (...choice: unknown[]) => void frozen.push(choice),
    query: async () => [],
  } as unknown as StoreDeps['store']
  const deps = { ...bench.deps, stage: bench.stage, store } as unknown as StoreDeps
  await freezeUniverse(deps, { selector })
  return frozen
}

test.each(['top:2', 'category:layer-1', 'all'])('%s is frozen under its text', async (selector) => {
  const bench = await fetchBench((query) => {
    const category = query.get('category')
    const body = category === null || category === 'layer-1' ? coins(2) : []
    return { body, headers: { total: String(body.length) } }
  })
  await universePage(bench.deps, selector, 1, freePageCalls())
  expect(await freeze(bench, selector)).toEqual([[selector, ['coin-00000', 'coin-00001'], NOW_MS]])
})

test('what is not staged cannot be frozen', async () => {
  const bench = await fetchBench()
  await expect(freeze(bench, 'category:x')).rejects.toMatchObject({ code: 'UNIVERSE_NOT_STAGED' })
})
