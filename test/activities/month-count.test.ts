import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { knownMonthUse, writeMonthCount } from '../../activities/month-count.ts'
import { startOfMonthMs } from '../../api/month-gate.ts'
import { tempDir } from '../parts/temp-dir.ts'

const NOW = Date.UTC(2026, 10, 30, 23, 59)
const DECEMBER = Date.UTC(2026, 11, 1)

let folder = ''
beforeEach(() => {
  folder = tempDir()
})
const countOf = async (keyId: string, nowMs = NOW, ledgerCalls = 0): Promise<number | undefined> =>
  (await knownMonthUse(folder, [keyId], ledgerCalls, nowMs))[0]?.used

test('what is kept is the count of that key in that month, and of no other', async () => {
  expect(await countOf('key-1')).toBe(0)
  await writeMonthCount(folder, { keyId: 'key-1', monthStartsAtMs: startOfMonthMs(NOW), used: 42 })
  expect(await countOf('key-1')).toBe(42)
  expect(await countOf('key-2')).toBe(0)
  expect(await countOf('key-1', DECEMBER)).toBe(0)
})

test('calls that only the ledger knows are spread over the keys, those of other keys are not', async () => {
  const monthStartsAtMs = startOfMonthMs(NOW)
  expect(await countOf('key-1', NOW, 7)).toBe(7)
  await writeMonthCount(folder, { keyId: 'key-1', monthStartsAtMs, used: 40 })
  await writeMonthCount(folder, { keyId: 'key-2', monthStartsAtMs, used: 10 })
  expect(await countOf('key-1', NOW, 50)).toBe(40)
  expect(await countOf('key-3', NOW, 53)).toBe(3)
  expect(await knownMonthUse(folder, ['key-1', 'key-2'], 53, NOW)).toEqual([
    { used: 42, reserve: null, rate: null },
    { used: 12, reserve: null, rate: null },
  ])
})

test('the rate of a key outlives its month', async () => {
  const rate = { calls: 500, perMs: 60_000 }
  const monthStartsAtMs = startOfMonthMs(NOW)
  await writeMonthCount(folder, { keyId: 'key-1', monthStartsAtMs, used: 40, rate })
  expect(await knownMonthUse(folder, ['key-1', 'key-2'], 0, DECEMBER)).toEqual([
    { used: 0, reserve: null, rate },
    { used: 0, reserve: null, rate: null },
  ])
})

test.each(['', '{"used":', '{"keyId":"key-1","monthStartsAtMs":0,"used":1}'])(
  'a file that says %j is no count',
  async (text) => {
    writeFileSync(join(folder, 'month.key-1.json'), text)
    expect(await countOf('key-1')).toBe(0)
  },
)
