import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { expect, inject, onTestFinished, test } from 'vitest'
import { warehouseId } from '../../../config/warehouse-paths.ts'
import { scheduleId } from '../../../workflows/sync-messages.ts'
import { openWarehouseFolder } from '../../parts/warehouse-folder.ts'

test('a worker tells of a lost schedule, and of none that a command deleted', async () => {
  const folder = openWarehouseFolder()
  onTestFinished(() => folder.remove())
  const sent = join(folder.dir, 'sent.json')
  folder.configure({
    source: ['base_url: "http://127.0.0.1:9"'],
    datasets: ['coins: {}'],
    more: [
      `alerts: { command: [/bin/sh, -c, 'cat >> "$0"', ${sent}] }`,
      'schedules: { deleted: { cron: "30 0 5 4 *" }, lost: { cron: "30 0 5 4 *" } }',
    ],
  })
  const done = async (...words: string[]): Promise<void> => {
    expect(await folder.run('schedule', ...words)).toMatchObject({ exitCode: 0 })
  }
  const { address, namespace } = inject('temporal')
  const connection = await Connection.connect({ address })
  onTestFinished(() => connection.close())
  const { schedule } = new Client({ connection, namespace })
  const lose = (name: string) =>
    schedule.getHandle(scheduleId(warehouseId(folder.paths.root), name)).delete()
  const toldFile = join(folder.paths.stateDir, 'alerts', 'told.json')
  const told = (): string[] =>
    existsSync(toldFile) ? Object.keys(JSON.parse(readFileSync(toldFile, 'utf8')) as object) : []

  await done('apply')
  await done('delete', 'deleted')
  await lose('lost')
  const worker = folder.start(['worker'])
  // The worker looks at its schedules in the order of the configuration.
  await expect.poll(told, { timeout: 60_000, interval: 200 }).toEqual(['run/lost'])
  worker.kill('SIGINT')
  expect((await worker.ended).code).toBe(0)
  expect(JSON.parse(readFileSync(sent, 'utf8'))).toMatchObject({
    event: 'failed',
    subject: 'run/lost',
    text: expect.stringContaining('is not on the server any more'),
  })
  await done('apply')
  expect(told()).toEqual(['run/lost'])
  await done('delete', 'lost')
  expect(told()).toEqual([])
  await done('delete', '--all')
}, 120_000)
