import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { brokenOffRun, noteBegunRun } from '../../../cli/run/begun-run.ts'
import { openLake } from '../../parts/lake.ts'
import { openWarehouseFolder } from '../../parts/warehouse-folder.ts'

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

test('cancel looks for a run without a note in the state of a stopped server, too', async () => {
  const folder = openWarehouseFolder({ engineDir: null })
  folder.configure({ source: ['base_url: "http://127.0.0.1:9"'], datasets: ['coins: {}'] })
  mkdirSync(folder.paths.stateDir, { recursive: true })
  writeFileSync(folder.paths.storeFile, '')
  const { stderr } = await folder.start(['cancel']).ended
  expect(stderr).toContain('no run is going on in')
  expect(existsSync(join(folder.dir, 'engine'))).toBe(true)
})
