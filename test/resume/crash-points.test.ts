import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { CRASH_POINTS, type CrashPoint } from '../../config/crash-point.ts'
import {
  crashEnv,
  endWithNewWorker,
  expectKilled,
  expectUndisturbed,
  IN_FLIGHT,
} from './crash-case.ts'
import { openSmallLake, runUndisturbed, serveSmallMarket } from './crash-market.ts'
import type { Undisturbed } from './crash-market.ts'
import { reportOf } from './report-of.ts'

/** Every point once. The kills of a chain follow each other in one warehouse. */
const CHAINS = [
  { publication: 'duckdb', isHandedOver: false, points: every(0) },
  { publication: 'parquet', isHandedOver: false, points: every(1) },
  { publication: 'both', isHandedOver: true, points: every(2) },
  { publication: 'both', isHandedOver: false, points: every(3) },
] as const

/** Every fourth point. More of them would kill the same pages until they are given up. */
function every(chain: number): CrashPoint[] {
  return CRASH_POINTS.filter((_, place) => place % 4 === chain)
}

const engineDir = inject('temporal').stateDir
let undisturbed: Undisturbed

beforeAll(async () => {
  undisturbed = await runUndisturbed('both', engineDir)
})

test('no point is left out', () => {
  const chained = CHAINS.flatMap(({ points }) => points)
  expect(chained.toSorted()).toEqual(CRASH_POINTS.toSorted())
  expect([...undisturbed.counts.keys()].toSorted()).toEqual(CRASH_POINTS.toSorted())
})

test.concurrent.for(CHAINS)(
  'killed at each of $points: the same command again completes the same tables',
  async ({ publication, isHandedOver, points }, { onTestFinished }) => {
    const service = await serveSmallMarket()
    const lake = openSmallLake(service, publication, engineDir)
    // Not in a `finally`: that of a test which ran out of time is never reached.
    onTestFinished(async () => {
      await lake.remove()
      await service.close()
    })
    const backfill = () => lake.start(['backfill', '--json'])
    let follower: ReturnType<typeof backfill> | null = null
    for (const [place, point] of points.entries()) {
      const crash = { point, nth: 1, log: join(lake.paths.root, '..', `crash-${place}.log`) }
      const words = isHandedOver ? ['worker'] : ['backfill', '--json']
      const killed = lake.start(words, crashEnv(crash))
      if (isHandedOver && follower === null) {
        await killed.says('working on')
        // One command outlives all of its workers.
        follower = backfill()
      }
      await expectKilled(killed, crash)
    }
    if (follower === null) reportOf(await backfill().ended)
    else await endWithNewWorker(lake, follower)
    const mayRepeat = IN_FLIGHT * points.length
    await expectUndisturbed(lake, service, undisturbed, { publication, mayRepeat })
  },
)
