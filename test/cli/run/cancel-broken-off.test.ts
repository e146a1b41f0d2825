import { mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { brokenOffRun, noteBegunRun } from '../../../cli/run/begun-run.ts'
import { openLake } from '../../parts/lake.ts'

test('cancel looks for a run that was broken off where it would be open, and forgets it', async () => {
  const lake = openLake('http://127.0.0.1:9', ['coins: { every: 1d }'])
  try {
    mkdirSync(lake.paths.runsDir, { recursive: true })
    await noteBegunRun(lake.paths, { runId: 'r1', goOnWith: 'coinlake backfill' })
    expect(await lake.start(['cancel']).ended).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'run r1 was broken off and is over; nothing loaded is lost\n',
    })
    expect(brokenOffRun(lake.paths)).toBeNull()
    expect(await lake.traces()).toEqual([])
  } finally {
    await lake.remove()
  }
})
