import { expect, test } from 'vitest'
import { failSlices } from '../../activities/fail-slices.ts'
import { loadBench, RUN } from './load-bench.ts'

const FAULT = { code: 'LISTING_ENDLESS', reason: 'it never ends' }

test('pages that came before the one that failed are calls of the ledger', async () => {
  const { deps, plan, page, requests, states } = await loadBench()
  const [usd, eur, gbp] = await plan(['usd', 'eur', 'gbp'])
  await page(usd!, 1, { isLast: false, calls: 3 })
  await page(usd!, 2, { isLast: false })
  await page(gbp!, 1)
  const failures = [usd!, eur!].map(({ ordinal }) => ({ ordinal, ...FAULT }))
  await failSlices(deps, { runId: RUN, failures })
  expect(await states()).toEqual(['failed', 'failed', 'planned'])
  const noted = { slice_id: usd!.sliceId, code: FAULT.code }
  expect(await requests()).toEqual([
    { ...noted, url: 'http://x/v2/coins/markets?page=1', calls: 3 },
    { ...noted, url: 'http://x/v2/coins/markets?page=2', calls: 1 },
  ])
  // Killed between the note and its end, the activity is repeated.
  await failSlices(deps, { runId: RUN, failures })
  expect(await requests()).toHaveLength(2)
})

test('a failed slice is fetched anew, and each of its calls is counted once', async () => {
  const { deps, plan, page, requests } = await loadBench()
  const [usd] = await plan(['usd'])
  await page(usd!, 1, { isLast: false })
  await failSlices(deps, { runId: RUN, failures: [{ ordinal: 0, ...FAULT }] })
  const [again] = await plan(['usd'], 'run-2')
  expect(again).toMatchObject({ sliceId: usd!.sliceId, generation: 1 })
  await page(again!, 1)
  await deps.store.load({ runId: 'run-2', ordinals: [0], nowMs: deps.clock.nowMs() }, deps.stage)
  expect(await requests()).toMatchObject([{ code: FAULT.code }, { code: null }])
})
