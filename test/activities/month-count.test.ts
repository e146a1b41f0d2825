import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readMonthCount, startOfMonthMs, writeMonthCount } from '../../activities/month-count.ts'

const NOW = Date.UTC(2026, 10, 30, 23, 59)
const DECEMBER = Date.UTC(2026, 11, 1)

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coinlake-month-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

test('what is kept is the count of that key in that month, and of no other', async () => {
  expect(await readMonthCount(folder, 'key-1', NOW)).toBe(0)
  await writeMonthCount(folder, { keyId: 'key-1', monthStartsAtMs: startOfMonthMs(NOW), used: 42 })
  expect(await readMonthCount(folder, 'key-1', NOW)).toBe(42)
  expect(await readMonthCount(folder, 'key-2', NOW)).toBe(0)
  expect(await readMonthCount(folder, 'key-1', DECEMBER)).toBe(0)
})

test.each(['', '{"used":', '[]', 'null', '{"keyId":"key-1","monthStartsAtMs":0,"used":1}'])(
  'a file that says %j is no count',
  async (text) => {
    writeFileSync(join(folder, 'month.json'), text)
    expect(await readMonthCount(folder, 'key-1', NOW)).toBe(0)
  },
)
