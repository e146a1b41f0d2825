import { expect, test } from 'vitest'
import { writeOrder } from '../../../activities/plan/order-file.ts'
import { planRun } from '../../../activities/plan/plan-run.ts'
import { keptUniverses } from '../../../stage/universe-files.ts'
import { wantedOf } from '../../plan/test-dataset.ts'
import { NOW_MS } from '../fetch/fetch-bench.ts'
import { loadBench, RUN } from '../load-bench.ts'

test('what an older coinlake chose is kept in the stage by the next run', async () => {
  const { deps, ordersDir } = await loadBench()
  const coinIds = ['bitcoin', 'x "y" z']
  await deps.store.freezeUniverse('top:5', coinIds, NOW_MS)
  expect(await keptUniverses(deps.stageDir)).toEqual([])
  const daily = { granularity: '' as const, everyMs: 86_400_000 }
  const wanted = [wantedOf({ dataset: 'coin_markets', entities: { top: 5 }, ...daily })]
  const orderId = await writeOrder(ordersDir, { wanted })
  for (let run = 0; run < 2; run++) await planRun(deps, { runId: RUN, orderId })
  expect(await keptUniverses(deps.stageDir)).toEqual([
    { selector: 'top:5', coinIds, chosenAtMs: NOW_MS },
  ])
})
