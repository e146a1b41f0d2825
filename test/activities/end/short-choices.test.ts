import { expect, test } from 'vitest'
import { shortChoices } from '../../../activities/end/short-choices.ts'
import { NOW_MS } from '../fetch/fetch-bench.ts'
import { loadBench, RUN } from '../load-bench.ts'

const RUN_FACTS = { runId: RUN, orderId: 'order', startedAtMs: NOW_MS, coinlakeVersion: '0.0.0' }

test('a ranking with fewer coins than it asks for is told by each run that asks for it', async () => {
  const { deps } = await loadBench()
  const { store } = deps
  await store.freezeUniverse('top:5', ['bitcoin', 'ethereum'], NOW_MS)
  await store.freezeUniverse('top:2', ['bitcoin', 'ethereum'], NOW_MS)
  await store.freezeUniverse('top:9', ['bitcoin'], NOW_MS)
  const selectors = ['top:5', 'top:2', 'category:layer-1']
  await store.writePlan({ ...RUN_FACTS, selectors }, [])
  expect(await shortChoices(deps, RUN)).toEqual({
    shortChoices: [{ selector: 'top:5', wanted: 5, chosen: 2 }],
  })
  await store.writePlan({ ...RUN_FACTS, runId: 'of named coins' }, [])
  expect(await shortChoices(deps, 'of named coins')).toEqual({})
})
