import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { frozenClock } from '../../../config/clock.ts'
import { openWarehouseFolder } from '../../parts/warehouse-folder.ts'

test('two configurations of one warehouse do not take turns with its schedules', async () => {
  const { dir, run } = openWarehouseFolder({ clock: frozenClock(Date.UTC(2026, 0, 15)) })
  const apply = (file: string, ...words: string[]) => run('schedule', 'apply', '-c', file, ...words)
  const write = (file: string, schedules: string): void => {
    const source = 'source: { base_url: "http://127.0.0.1:9" }'
    const datasets = 'datasets: { exchange_rates: {} }'
    writeFileSync(join(dir, file), `${source}\n${datasets}\nschedules: ${schedules}\n`)
  }
  const leapDay = 'cron: "30 0 29 2 *"'
  write('ours.yaml', `{ nightly: { ${leapDay} } }`)
  write('theirs.yaml', `{ nightly: { ${leapDay}, overlap: skip }, weekly: { ${leapDay} } }`)
  expect(await apply('ours.yaml')).toMatchObject({ exitCode: 0, stdout: 'created   nightly\n' })
  // Before the first run: readers of other users get in, as into each warehouse, and not into its state.
  const [root, state] = ['warehouse', 'warehouse/state'].map(
    (name) => statSync(join(dir, name)).mode,
  )
  expect([root! & 0o77, state! & 0o77]).toEqual([0o77 & ~process.umask(), 0])

  const refused = await apply('theirs.yaml')
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(refused.stderr).toMatch(
    /^error\[SCHEDULE_OF_ANOTHER\]: the schedule nightly of this warehouse was applied from \S+:\S+\/ours\.yaml, not from \S+\/theirs\.yaml\n {2}hint: .*--replace/,
  )
  // Nothing of it was done: not the new one either.
  expect(await apply('ours.yaml')).toMatchObject({ exitCode: 0, stdout: 'unchanged nightly\n' })

  const taken = await apply('theirs.yaml', '--replace')
  expect(taken).toMatchObject({ exitCode: 0, stdout: 'updated   nightly\ncreated   weekly\n' })
  expect((await apply('ours.yaml')).stderr).toContain('error[SCHEDULE_OF_ANOTHER]')
  const end = await run('schedule', 'delete', '--all', '-c', 'theirs.yaml')
  expect(end).toMatchObject({ exitCode: 0 })
})
