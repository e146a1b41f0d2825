import { expect, test } from 'vitest'
import type { Granularity } from '../../../api/granularity.ts'
import { allTables, datasets } from '../../../datasets/index.ts'
import type { FaultPresetName } from '../../../service/faults/fault-preset-names.ts'
import { presetFaults } from '../../../service/faults/fault-presets.ts'
import { type Asked, exportsUnder, type FaultyExport } from './export-under-faults.ts'
import { lossesOf } from './losses.ts'
import { namedLosses } from './named-losses.ts'

const isBig = process.env['COINLAKE_TEST_BIG'] === '1'
const DAYS: Partial<Record<Granularity, number>> = { '1d': 120, '4h': 20 }

/** Every dataset once, with its first granularity. */
const ALL: Asked = datasets.map(({ name, kind, granularities: [first] }) => {
  if (kind === 'dated') return [name, { granularity: '', days: 3 }]
  return first === undefined ? [name] : [name, { granularity: first, days: DAYS[first] ?? 1 }]
})

/** Attempts of Temporal, each with two repetitions of the client. */
const MOST_ASKINGS = 18

/**
 * By default one seed that nulls keys of four operations; a page that never comes takes half a minute
 * of waiting between its attempts. COINLAKE_TEST_BIG=1 takes more, or what COINLAKE_TEST_FAULTS says:
 * `harsh:5` or `harsh:1,2 limits:3`.
 */
const RUNS: readonly [FaultPresetName, readonly number[]][] = (
  isBig
    ? (process.env['COINLAKE_TEST_FAULTS'] ??
      'harsh:1,9,29,47,53,57,68,70,72 flaky-network:1,2,3 limits:1,2')
    : 'harsh:9'
)
  .split(' ')
  .map((text) => {
    const [preset = '', seeds = ''] = text.split(':')
    return [preset as FaultPresetName, seeds.split(',').map(Number)]
  })

/** How often each request was asked and not told to wait. */
function mostAskings({ requests }: FaultyExport): number {
  const asked = requests.filter(
    ({ injected }) => injected?.some((name) => name.startsWith('rate_')) !== true,
  )
  const counts = Map.groupBy(asked, ({ path, query }) => `${path}?${query}`)
  return Math.max(...[...counts.values()].map(({ length }) => length))
}

test.each(RUNS)(
  'all datasets under %s: complete, or partial with every loss named',
  { timeout: 3_000_000 },
  async (preset, seeds) => {
    const [calm, ...hard] = await exportsUnder(
      [[], ...seeds.map((seed) => presetFaults(preset, seed))],
      // The other limit of `limits` comes after 200 calls.
      preset === 'limits' ? { coins: 24 } : { coins: 6, exchanges: 2 },
      ALL,
    )
    expect(calm!.report).toMatchObject({ verdict: 'complete', failures: [] })
    for (const [place, one] of hard.entries()) {
      const { report, requests, connection, store } = one
      const told = await namedLosses(one)
      const lost = await lossesOf(connection, allTables, calm!.store, store)
      const met = Map.groupBy(
        requests.flatMap(({ injected }) => injected ?? []),
        (name) => name,
      )
      console.log(
        `${preset}, seed ${seeds[place]}: ${report.verdict}, ${requests.length} requests for ` +
          `${calm!.requests.length}, ${told.failed.size} slices failed, ${told.quarantined.size} with rows ` +
          `set aside, ${lost.length} with losses; ` +
          [...met].map(([name, { length }]) => `${length} ${name}`).join(', '),
      )
      const isWhole = told.failed.size + told.quarantined.size === 0
      expect.soft(report.verdict).toBe(isWhole ? 'complete' : 'partial')
      expect.soft(report.slices.missing).toBe(0)
      // Every call in the ledger, and none without end.
      expect.soft(report.calls).toBe(requests.length)
      expect.soft(mostAskings(one)).toBeLessThanOrEqual(MOST_ASKINGS)
      // Exactly the slices with a lasting fault failed.
      expect.soft(told.failedUrls).toEqual(told.hopelessUrls)
      for (const { table, sliceId, missing, changed, nulled, extra } of lost) {
        const named = told.failed.has(sliceId) ? Infinity : (told.quarantined.get(sliceId) ?? 0)
        expect.soft(extra, `${table} of ${sliceId}`).toBe(0)
        expect.soft(missing + changed, `${table} of ${sliceId}`).toBeLessThanOrEqual(named)
        // A value that may be null was sent as null: it stands there as it was told.
        const mayBeNull = named > 0 || told.nulledSlices.has(sliceId)
        expect.soft(nulled === 0 || mayBeNull, `${table} of ${sliceId}`).toBe(true)
      }
      const slicesLost = new Set(lost.map(({ sliceId }) => sliceId))
      expect.soft([...told.quarantined.keys()].filter((id) => !slicesLost.has(id))).toEqual([])
      const gaps = await one.warehouse.run('gaps')
      expect.soft(gaps.exitCode).toBe(isWhole ? 0 : 3)
    }
  },
)
