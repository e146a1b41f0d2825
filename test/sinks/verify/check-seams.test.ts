import { DAY_MS } from '../../../config/values/duration.ts'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GRANULARITY_MS } from '../../../api/granularity.ts'
import type { Slice } from '../../../datasets/dataset.ts'
import { merge } from '../../../plan/intervals.ts'
import { planSlices } from '../../../plan/plan-slices.ts'
import { sliceId } from '../../../plan/planned-slice.ts'
import { openSession } from '../../../sinks/duckdb-store/session.ts'
import { checkSeams } from '../../../sinks/verify/check-seams.ts'
import { planInput, testDataset, wantedOf } from '../../plan/test-dataset.ts'
import { memoryDuckdb } from '../../parts/duckdb.ts'

const HOUR_MS = GRANULARITY_MS['1h']
const NOW_MS = 20_000 * DAY_MS
const START_MS = NOW_MS - 100 * DAY_MS
const MAX_SLICE_MS = 7 * HOUR_MS
const chart = testDataset({ name: 'chart', kind: 'range', maxSliceMs: () => MAX_SLICE_MS })
const listing = testDataset({ name: 'listing', kind: 'snapshot' })

const connection = await memoryDuckdb(afterAll)

beforeAll(async () => {
  await connection.run(`CREATE TABLE _runs (run_id VARCHAR, purpose VARCHAR);
    CREATE TABLE _slices (run_id VARCHAR, slice_id VARCHAR, generation BIGINT, dataset VARCHAR,
      entity VARCHAR, vs_currency VARCHAR, granularity VARCHAR, from_at TIMESTAMPTZ,
      to_at TIMESTAMPTZ, settled_to TIMESTAMPTZ, state VARCHAR)`)
})

async function faults(runs: readonly (readonly Slice[])[]): Promise<string[]> {
  await connection.run('DELETE FROM _slices')
  const values = runs.flatMap((slices, run) =>
    slices.map(
      (slice) =>
        `('r${run}', '${sliceId(slice)}', 0, '${slice.dataset}', '${slice.entity}', 'usd', '1h',
          make_timestamptz(${slice.fromMs * 1000}), make_timestamptz(${slice.toMs * 1000}), NULL, 'loaded')`,
    ),
  )
  if (values.length > 0) await connection.run(`INSERT INTO _slices VALUES ${values.join(', ')}`)
  const { rows } = openSession(connection, 'store.duckdb')
  const source = { rows, relation: () => null, ledger: (name: string) => name }
  const found = await checkSeams({ source, place: 'store', datasets: [chart, listing] })
  return found.map(({ what, expected, found: from }) => [what, expected, from].join(': '))
}

const bounds = fc
  .tuple(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 1, max: 40 }))
  .map(([from, length]) => ({
    fromMs: START_MS + from * HOUR_MS,
    toMs: START_MS + (from + length) * HOUR_MS,
  }))

test(
  'plans of any ranges, one after the other, tile them exactly once',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bounds, { minLength: 1, maxLength: 5 }), async (ranges) => {
        const runs: Slice[][] = []
        for (const range of ranges) {
          const wanted = [wantedOf({ dataset: 'chart', ...range })]
          const now = { nowMs: NOW_MS, datasets: [chart] }
          runs.push(planSlices(planInput({ ...now, wanted, covered: runs.flat() })).slices)
        }
        const all = runs.flat()
        expect(merge(all)).toEqual(merge(ranges))
        const lengthMs = (list: readonly { fromMs: number; toMs: number }[]): number =>
          list.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
        expect(lengthMs(all)).toBe(lengthMs(merge(ranges)))
        for (const slice of all) expect(slice.toMs - slice.fromMs).toBeLessThanOrEqual(MAX_SLICE_MS)
        expect(await faults(runs)).toEqual([])

        // One slice reaching a second further is found, wherever another one follows it at once.
        const sorted = all.toSorted((a, b) => a.fromMs - b.fromMs)
        const follows = sorted.findIndex((slice, i) => sorted[i + 1]?.fromMs === slice.toMs)
        if (follows < 0) return
        const long = sorted[follows]!
        const bent = runs.map((slices) =>
          slices.map((slice) => (slice === long ? { ...slice, toMs: slice.toMs + 1000 } : slice)),
        )
        const [from, reached] = [0, 1000].map((ms) => new Date(long.toMs + ms).toISOString())
        expect(await faults(bent)).toContain(
          `two runs hold the same stretch: from ${reached} on: from ${from} on`,
        )
      }),
      { numRuns: 60 },
    )
  },
)

test('slices of a listing may overlap, because each answer shows one moment', async () => {
  const slices = [START_MS, START_MS + HOUR_MS].map((fromMs) => {
    const series = { entity: '', vsCurrency: '', granularity: '1d' } as const
    return { dataset: 'listing', ...series, fromMs, toMs: fromMs + DAY_MS }
  })
  expect(await faults([slices])).toEqual([])
})
