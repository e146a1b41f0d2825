import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { STATE_KEPT_MS, stateSweep } from '../../../activities/end/sweep-state.ts'
import { tempDir } from '../../parts/temp-dir.ts'

const DAY_MS = 86_400_000
const [OLD, YOUNG] = [`${'a'.repeat(20)}.json`, `${'b'.repeat(20)}.json`]

test('orders and reports that have outlived their time go once a day, foreign files stay', async () => {
  const dir = tempDir()
  const dirs = { ordersDir: join(dir, 'orders'), runsDir: join(dir, 'runs') }
  const folders = Object.values(dirs)
  const nowMs = Date.now()
  const write = (name: string, ageMs: number): void => {
    for (const folder of folders) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, name), '{}')
      utimesSync(join(folder, name), (nowMs - ageMs) / 1000, (nowMs - ageMs) / 1000)
    }
  }
  const left = () => folders.map((folder) => readdirSync(folder).toSorted())
  const sweep = stateSweep(dirs)
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
