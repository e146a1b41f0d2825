import { expect, test } from 'vitest'
import type { RunReport } from '../../../activities/run-report.ts'
import type { Freshness } from '../../../cli/freshness/freshness-facts.ts'
import type { GapFacts } from '../../../cli/report/facts/gap-facts.ts'
import { verdictFacts, type VerdictInput } from '../../../cli/report/facts/verdict-facts.ts'
import { runReport, sliceCounts } from '../../parts/run-report.ts'

const HOUR_MS = 3_600_000
const REPORT = runReport({ calls: 480, slices: sliceCounts({ planned: 480, loaded: 480 }) })
const GAPS: GapFacts = {
  series: 480,
  seriesWithHoles: 0,
  seriesBehind: 0,
  quarantined: 0,
  summary: [],
  unreachable: { days: 0, datasets: [] },
  holes: [],
  holeCount: 0,
  pendingUniverses: [],
  doubtful: [],
  absent: [],
}
const HOURLY: Freshness = {
  dataset: 'market_chart',
  order: 'market_chart',
  granularity: '1h',
  newestAt: '2024-04-10T05:00:00Z',
  ageMs: 0.5 * HOUR_MS,
  allowedMs: 24 * HOUR_MS,
  isTarget: false,
  staleSince: null,
  state: 'fresh',
}
const GOOD: VerdictInput = {
  run: { report: REPORT, begun: null, earlier: [] },
  gaps: GAPS,
  quarantine: { rows: 0, notListed: 0, byRule: [], newest: [] },
  freshness: [HOURLY],
  gone: [],
  budget: {
    calls: 480,
    throttled: 0,
    failed: 0,
    binMs: 1000,
    over: [],
    busiestMinute: null,
    rate: null,
    months: [],
  },
  warehouse: '/lake',
}
const ran = (more: Partial<RunReport>): VerdictInput['run'] => ({
  ...GOOD.run,
  report: { ...REPORT, ...more },
})
const PARTLY_EMPTY: GapFacts['summary'][number] = {
  dataset: 'market_chart',
  granularity: '1d',
  orders: [],
  series: 40,
  days: {
    verified: 47_997,
    empty: 25_058,
    provisional: 0,
    unreachable: 0,
    missing: 0,
    quarantined: 0,
  },
  missing: 0,
  quarantinedRows: 0,
}
const begun = { runId: 'r2', goOnWith: 'coinlake backfill -c my.yaml' }
const STALE: Freshness = { ...HOURLY, ageMs: 26 * HOUR_MS, state: 'stale' }

type Case = [what: string, Partial<VerdictInput>, says: string, next: string[]]

test.each<Case>([
  [
    'all is well',
    {},
    'good: complete: all wanted data of 480 series are there, newest hourly price 30 min old',
    [],
  ],
  [
    'a history that the source has only in part',
    { gaps: { ...GAPS, summary: [PARTLY_EMPTY] } },
    'good: complete: all data that the source gave for 480 series are there, the source has nothing for 25,058 of 73,055 days, newest hourly price 30 min old',
    [],
  ],
  [
    'a list is newer than all prices',
    {
      freshness: [
        HOURLY,
        { ...HOURLY, dataset: 'coins', order: 'coins', granularity: '', ageMs: 60_000 },
      ],
    },
    'good: complete: all wanted data of 480 series are there, newest row of coins 60 s old',
    [],
  ],
  [
    'failed slices, holes, old points',
    {
      run: ran({ verdict: 'partial', slices: { ...REPORT.slices, loaded: 477, failed: 3 } }),
      gaps: { ...GAPS, seriesWithHoles: 12, holeCount: 14 },
      freshness: [STALE],
    },
    'bad: partial: 3 slices failed, 12 of 480 series have gaps, newest hourly price 26 h old',
    ['coinlake backfill'],
  ],
  [
    'time went on after a good run',
    { gaps: { ...GAPS, seriesBehind: 480 }, freshness: [STALE] },
    'warn: stale: newest hourly price 26 h old',
    ['coinlake backfill'],
  ],
  [
    'stale, and all that can be asked for is there',
    { freshness: [STALE] },
    'warn: stale: newest hourly price 26 h old',
    ['The source has no newer data to fetch now: wait, or raise `freshness:`.'],
  ],
  [
    'more is asked for than the last run was',
    { gaps: { ...GAPS, seriesWithHoles: 1, holeCount: 1 } },
    'bad: incomplete: 1 of 480 series have gaps',
    ['coinlake backfill'],
  ],
  [
    'the key was refused',
    {
      run: ran({
        verdict: 'failed',
        slices: { ...REPORT.slices, loaded: 34, missing: 446 },
        fatal: { code: 'SOURCE_AUTH', reason: '401', hint: 'Set a valid key.', exitCode: 4 },
      }),
    },
    'bad: failed: the source refused the key after 34 of 480 slices, 446 slices were not fetched',
    ['Set a valid key.', 'coinlake backfill'],
  ],
  [
    'the month is used up',
    {
      run: ran({
        verdict: 'partial',
        slices: { ...REPORT.slices, loaded: 400, missing: 80 },
        fatal: { code: 'MONTH_SPENT', reason: '-', hint: 'Wait.', exitCode: 3, untilMs: 1 },
        waiting: { untilAt: '2024-05-01T00:00:00Z', slices: 80, datasets: [] },
      }),
    },
    "warn: partial: the month's calls are used up after 400 of 480 slices, 80 slices wait for 2024-05-01",
    ['Wait.', 'coinlake backfill'],
  ],
  [
    'a run goes on',
    { run: { ...GOOD.run, begun: { ...begun, state: 'going_on' } } },
    'warn: running: all wanted data of 480 series are there, newest hourly price 30 min old',
    ['coinlake status --watch'],
  ],
  [
    'the first run was broken off',
    {
      run: { report: null, begun: { ...begun, state: 'broken_off' }, earlier: [] },
      gaps: { ...GAPS, seriesWithHoles: 480, holeCount: 480 },
      freshness: [],
    },
    'bad: broken off: 480 of 480 series have gaps',
    ['coinlake backfill -c my.yaml'],
  ],
  [
    'an id that the source does not list',
    {
      run: ran({
        verdict: 'partial',
        absent: { count: 1, newCount: 1, entities: [], rows: { price_quotes: 1 } },
      }),
      quarantine: { rows: 1, notListed: 1, byRule: [], newest: [] },
    },
    'warn: partial: 1 id is not in the answers of the source',
    ['Check the ids below: later runs are complete without them.'],
  ],
  [
    'rows in quarantine, a listing that moved, a key left out',
    {
      run: ran({
        lostKeys: [{ keyId: 'k', code: 'SOURCE_AUTH', reason: '-', hint: '-', exitCode: 4 }],
      }),
      quarantine: { rows: 9, notListed: 2, byRule: [], newest: [] },
      gaps: { ...GAPS, doubtful: [{ series: 'coins', moved: 1, unlisted: 0 }] },
    },
    'warn: incomplete: 1 key was left out, 7 rows quarantined, 1 listing may lack items',
    ['coinlake quarantine list', 'coinlake quarantine replay --all'],
  ],
  [
    'a published file that was removed',
    { gone: [{ sink: 'duckdb', place: '/w/coinlake.duckdb', what: 'it was removed' }] },
    'bad: incomplete: the publication duckdb in /w/coinlake.duckdb is gone',
    ['coinlake backfill'],
  ],
])('%s', (_, input, says, next) => {
  const verdict = verdictFacts({ ...GOOD, ...input })
  expect(`${verdict.level}: ${verdict.sentence}`).toBe(says)
  expect(verdict.next.map(({ command, why }) => command ?? why)).toEqual(next)
})
