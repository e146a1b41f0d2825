import { expect, test } from 'vitest'
import { shortChoices } from '../../../activities/end/short-choices.ts'
import { NOW_MS } from '../fetch/fetch-bench.ts'
import { loadBench } from '../load-bench.ts'

test('a ranking with fewer coins than it asks for is told by each run that asks for it', async () => {
  const { deps } = await loadBench()
  const { store } = deps
  await store.freezeUniverse('top:5', ['bitcoin', 'ethereum'], NOW_MS)
  await store.freezeUniverse('top:2', ['bitcoin', 'ethereum'], NOW_MS)
  await store.freezeUniverse('top:9', ['bitcoin'], NOW_MS)
  expect(await shortChoices(deps, ['top:5', 'top:2', 'category:layer-1'])).toEqual({
    shortChoices: [{ selector: 'top:5', wanted: 5, chosen: 2 }],
  })
  expect(await shortChoices(deps, [])).toEqual({})
})
