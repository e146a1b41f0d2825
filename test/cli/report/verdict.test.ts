import { expect, test } from 'vitest'
import type { RunReport } from '../../../activities/run-report.ts'
import type { Freshness } from '../../../cli/freshness/freshness-facts.ts'
import type { GapFacts } from '../../../cli/report/facts/gap-facts.ts'
import { verdictFacts } from '../../../cli/report/facts/verdict-facts.ts'
import type { VerdictInput } from '../../../cli/report/facts/verdict-facts.ts'

const HOUR_MS = 3_600_000
const REPORT: RunReport = {
  runId: 'r1',
  orderId: 'o',
  verdict: 'complete',
  startedAt: '2024-04-10T05:00:00Z',
  finishedAt: '2024-04-10T05:01:00Z',
  calls: 480,
  rows: 9,
  slices: { planned: 480, loaded: 480, provisional: 0, empty: 0, failed: 0, missing: 0 },
  datasets: [],
  failures: [],
  unreachable: { days: 0, datasets: [] },
  publications: [],
  fatal: null,
  coinlakeVersion: '0.1.0',
}
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
const begun = { runId: 'r2', goOnWith: 'coinlake backfill -c my.yaml' }
const STALE: Freshness = { ...HOURLY, ageMs: 26 * HOUR_MS, state: 'stale' }

test.each<{
  what: string
  input: Partial<VerdictInput>
  says: string
  level: string
  next: string[]
}>([
  {
    what: 'all is well',
    input: {},
    says: 'complete: all wanted data of 480 series are there, newest hourly price 30 min old',
    level: 'good',
    next: [],
  },
  {
    what: 'failed slices, holes, old points',
    input: {
      run: ran({ verdict: 'partial', slices: { ...REPORT.slices, loaded: 477, failed: 3 } }),
      gaps: { ...GAPS, seriesWithHoles: 12, holeCount: 14 },
      freshness: [STALE],
    },
    says: 'partial: 3 slices failed, 12 of 480 series have gaps, newest hourly price 26 h old',
    level: 'bad',
    next: ['coinlake backfill'],
  },
  {
    what: 'time went on after a good run',
    input: { gaps: { ...GAPS, seriesBehind: 480 }, freshness: [STALE] },
    says: 'stale: newest hourly price 26 h old',
    level: 'warn',
    next: ['coinlake backfill'],
  },
  {
    what: 'stale, and all that can be asked for is there',
    input: { freshness: [STALE] },
    says: 'stale: newest hourly price 26 h old',
    level: 'warn',
    next: ['The source has no newer data to fetch now: wait, or raise `freshness:`.'],
  },
  {
    what: 'more is asked for than the last run was',
    input: { gaps: { ...GAPS, seriesWithHoles: 1, holeCount: 1 } },
    says: 'incomplete: 1 of 480 series have gaps',
    level: 'bad',
    next: ['coinlake backfill'],
  },
  {
    what: 'the key was refused',
    input: {
      run: ran({
        verdict: 'failed',
        slices: { ...REPORT.slices, loaded: 34, missing: 446 },
        fatal: { code: 'SOURCE_AUTH', reason: '401', hint: 'Set a valid key.', exitCode: 4 },
      }),
    },
    says: 'failed: the source refused the key after 34 of 480 slices, 446 slices were not fetched',
    level: 'bad',
    next: ['Set a valid key.', 'coinlake backfill'],
  },
  {
    what: 'the month is used up',
    input: {
      run: ran({
        verdict: 'partial',
        slices: { ...REPORT.slices, loaded: 400, missing: 80 },
        fatal: { code: 'MONTH_SPENT', reason: '-', hint: 'Wait.', exitCode: 3, untilMs: 1 },
        waiting: { untilAt: '2024-05-01T00:00:00Z', slices: 80, datasets: [] },
      }),
    },
    says: "partial: the month's calls are used up after 400 of 480 slices, 80 slices wait for 2024-05-01",
    level: 'warn',
    next: ['Wait.', 'coinlake backfill'],
  },
  {
    what: 'a run goes on',
    input: { run: { ...GOOD.run, begun: { ...begun, state: 'going_on' } } },
    says: 'running: all wanted data of 480 series are there, newest hourly price 30 min old',
    level: 'warn',
    next: ['coinlake status --watch'],
  },
  {
    what: 'the first run was broken off',
    input: {
      run: { report: null, begun: { ...begun, state: 'broken_off' }, earlier: [] },
      gaps: { ...GAPS, seriesWithHoles: 480, holeCount: 480 },
      freshness: [],
    },
    says: 'broken off: 480 of 480 series have gaps',
    level: 'bad',
    next: ['coinlake backfill -c my.yaml'],
  },
  {
    what: 'an id that the source does not list',
    input: {
      run: ran({
        verdict: 'partial',
        absent: { count: 1, newCount: 1, entities: [], rows: { price_quotes: 1 } },
      }),
      quarantine: { rows: 1, notListed: 1, byRule: [], newest: [] },
    },
    says: 'partial: 1 id is not in the answers of the source',
    level: 'warn',
    next: ['Check the ids below: later runs are complete without them.'],
  },
  {
    what: 'rows in quarantine, a listing that moved, a key left out',
    input: {
      run: ran({
        lostKeys: [{ keyId: 'k', code: 'SOURCE_AUTH', reason: '-', hint: '-', exitCode: 4 }],
      }),
      quarantine: { rows: 9, notListed: 2, byRule: [], newest: [] },
      gaps: { ...GAPS, doubtful: [{ series: 'coins', moved: 1, unlisted: 0 }] },
    },
    says: 'incomplete: 1 key was left out, 7 rows quarantined, 1 listing may lack items',
    level: 'warn',
    next: ['coinlake quarantine list', 'coinlake quarantine replay --all'],
  },
  {
    what: 'a published file that was removed',
    input: { gone: [{ sink: 'duckdb', place: '/w/coinlake.duckdb', what: 'it was removed' }] },
    says: 'incomplete: the publication duckdb in /w/coinlake.duckdb is gone',
    level: 'bad',
    next: ['coinlake backfill'],
  },
])('$what', ({ input, says, level, next }) => {
  const verdict = verdictFacts({ ...GOOD, ...input })
  expect(verdict.sentence).toBe(says)
  expect(verdict.level).toBe(level)
  expect(verdict.next.map(({ command, why }) => command ?? why)).toEqual(next)
})
