import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { STATE_KEPT_MS, stateSweep } from '../../../activities/end/sweep-state.ts'
import { writeOrder } from '../../../activities/plan/order-file.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { wantedOf } from '../../plan/test-dataset.ts'

const DAY_MS = 86_400_000
/** A store in which runs with these orders have not ended. */
const storeWith = (...orderIds: string[]) => ({
  unfinishedRuns: () =>
    Promise.resolve(orderIds.map((orderId) => ({ runId: orderId, orderId, schedule: null }))),
})
const [OLD, YOUNG] = [`${'a'.repeat(20)}.json`, `${'b'.repeat(20)}.json`]

test('orders of windows and reports that have outlived their time go once a day, foreign files stay', async () => {
  const dir = tempDir()
  const dirs = { ordersDir: join(dir, 'orders'), runsDir: join(dir, 'runs') }
  const folders = Object.values(dirs)
  const nowMs = Date.now()
  const write = (name: string, ageMs: number): void => {
    for (const folder of folders) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, name), '{"wanted":[],"asOfMs":1}')
      utimesSync(join(folder, name), (nowMs - ageMs) / 1000, (nowMs - ageMs) / 1000)
    }
  }
  const left = () => folders.map((folder) => readdirSync(folder).toSorted())
  const sweep = stateSweep({ ...dirs, store: storeWith() })
  write(OLD, STATE_KEPT_MS + DAY_MS)
  write(YOUNG, STATE_KEPT_MS - DAY_MS)
  write('notes.txt', STATE_KEPT_MS + DAY_MS)
  await sweep(nowMs)
  expect(left()).toEqual([
    [YOUNG, 'notes.txt'],
    [YOUNG, 'notes.txt'],
  ])
  write(OLD, STATE_KEPT_MS + DAY_MS)
  await sweep(nowMs + DAY_MS - 1)
  expect(left()[0]).toContain(OLD)
  await sweep(nowMs + 2 * DAY_MS)
  expect(left()).toEqual([['notes.txt'], ['notes.txt']])
})

test('the order of a run by hand goes, but for that of a run without an end', async () => {
  const ordersDir = tempDir()
  const [ended, open] = await Promise.all([
    writeOrder(ordersDir, { wanted: [], byHand: true }),
    writeOrder(ordersDir, { wanted: [], byHand: true, refetch: true }),
  ])
  for (const id of [ended, open]) utimesSync(join(ordersDir, `${id}.json`), 0, 0)
  await stateSweep({ ordersDir, runsDir: tempDir(), store: storeWith(open) })(Date.now())
  expect(readdirSync(ordersDir)).toEqual([`${open}.json`])
})

test('the order of a schedule stays, however long the schedule was paused', async () => {
  const ordersDir = tempDir()
  const wanted = [wantedOf({ dataset: 'market_chart', entities: ['asOfMs'] })]
  const fileOf = (id: string): string => join(ordersDir, `${id}.json`)
  const template = fileOf(await writeOrder(ordersDir, { wanted }))
  const window = fileOf(await writeOrder(ordersDir, { wanted, asOfMs: 1 }))
  for (const file of [template, window]) utimesSync(file, 0, 0)
  await stateSweep({ ordersDir, runsDir: tempDir(), store: storeWith() })(Date.now())
  expect([template, window].map((file) => existsSync(file))).toEqual([true, false])
})
