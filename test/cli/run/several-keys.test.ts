import { expect, test } from 'vitest'
import type { KeyMonth } from '../../../cli/run/key-months.ts'
import { type KeyedLake, openKeyedLake } from '../../parts/keyed-lake.ts'

const KEYS = ['first-key-of-two', 'second-key-of-two']
const SOURCE = ['api_keys: ["${KEY_0}", "${KEY_1}"]']

const statusesOf = (lake: KeyedLake): number[] => [...new Set(lake.log.map(({ status }) => status))]

test('two keys share the work, none is refused, and no key is in any file', async () => {
  const quota = { calls: 30, perMs: 10_000 }
  const lake = await openKeyedLake({ coins: 47, keys: KEYS, quota })
  lake.configure(SOURCE)
  const { exitCode, report } = await lake.backfill()
  expect({ exitCode, verdict: report.verdict }).toEqual({ exitCode: 0, verdict: 'complete' })
  expect(report.lostKeys).toBeUndefined()
  expect(statusesOf(lake)).toEqual([200])
  expect(lake.log).toHaveLength(48)
  for (const key of KEYS) {
    expect(lake.countOf(key)).toBeGreaterThanOrEqual(16)
    expect(lake.filesWith(key)).toEqual([])
  }
  const status = await lake.run('status', '--json')
  const { months } = JSON.parse(status.stdout) as { months: KeyMonth[] }
  const ascending = (a: number, b: number): number => a - b
  expect(months.map(({ used }) => used).toSorted(ascending)).toEqual(
    KEYS.map((key) => lake.countOf(key)).toSorted(ascending),
  )
  expect(new Set(months.map(({ keyId }) => keyId)).size).toBe(2)
})

test('a key that is revoked in mid-run is left out and named, the other one does the rest', async () => {
  const [good, revoked] = KEYS as [string, string]
  let isAllRevoked = false
  const lake = await openKeyedLake({
    coins: 40,
    keys: KEYS,
    admits: (key, count) => !isAllRevoked && (key !== revoked || count <= 8),
  })
  lake.configure(SOURCE)
  const { exitCode, stderr } = await lake.run('backfill')
  expect(exitCode).toBe(0)
  expect(stderr).toContain('complete: ')
  expect(stderr).toMatch(
    / {2}warning: key [0-9a-f]{12} was left out \(SOURCE_AUTH\): the source refuses the key, HTTP 401/,
  )
  const answered = lake.log.filter(({ status }) => status === 200)
  expect(answered).toHaveLength(41)
  const refused = lake.log.length - answered.length
  expect(refused).toBeGreaterThan(0)
  // Those that were under way with it.
  expect(refused).toBeLessThanOrEqual(16)
  expect(lake.countOf(good)).toBe(41 - 8)

  isAllRevoked = true
  const none = await lake.run('refetch', '--from', '2024-03-20', '--to', '2024-04-01')
  expect(none.exitCode).toBe(4)
  expect(none.stderr).toContain('error[SOURCE_AUTH]: none of the 2 keys can be used: ')
})

test('the months of two keys are used up one by one, then the run waits for the next', async () => {
  const lake = await openKeyedLake({ coins: 30, keys: KEYS })
  lake.configure([...SOURCE, 'monthly_calls: 10', 'monthly_reserve: 2'])
  expect((await lake.run('plan')).stdout).toContain(
    'of 20 calls; none used that this warehouse knows of, 20 left, 4 of them',
  )
  const { exitCode, report } = await lake.backfill()
  expect(exitCode).toBe(3)
  expect(report).toMatchObject({
    verdict: 'partial',
    calls: 16,
    slices: { loaded: 15, missing: 15, failed: 0 },
    fatal: { code: 'MONTH_SPENT' },
    waiting: { slices: 15 },
  })
  expect(KEYS.map((key) => lake.countOf(key))).toEqual([8, 8])
  const status = await lake.run('status')
  expect(
    status.stdout.match(
      /^month of key [0-9a-f]{12}: 10 calls; 8 used that this warehouse knows of, 2 left/gm,
    ),
  ).toHaveLength(2)
})
