import { expect, test } from 'vitest'
import type { RunReport } from '../../../activities/run-report.ts'
import { unreachableHistory } from '../../../plan/unreachable-history.ts'
import { reportText } from '../../../cli/render/report-text.ts'
import { failedSlice, reportedTotals, runReport, sliceCounts } from '../../parts/run-report.ts'

const HEAD = '(run r1)'

const failure = (entity: string, code: string): RunReport['failures'][number] =>
  failedSlice({ entity, code, reason: `${entity} is not there` })

test('a run that a full disk ended says that its rows are not published', () => {
  const fatal = { code: 'STAGE_DISK_FULL', reason: 'no room', hint: 'Free some.', exitCode: 5 }
  const line =
    '  nothing was published at the end of this run: the published files lack its newest rows'
  expect(reportText(runReport({ verdict: 'failed', rows: 9, fatal }))).toContain(line)
  expect(reportText(runReport({ verdict: 'failed', rows: 0, fatal }))).not.toContain(line)
  expect(reportText(runReport({ rows: 9 }))).not.toContain(line)
})

test('nothing to do', () => {
  expect(reportText(runReport({}))).toEqual([
    `complete: 0 rows, 0 calls, 2.0 s ${HEAD}`,
    'nothing to do: the warehouse has all data that the source gave',
  ])
  expect(reportText(runReport({ leftToOthers: 2 })).at(-1)).toBe(
    'nothing to do: 2 wanted slices are left to another open run',
  )
})

test('calls that chose coins are a line of the table, so that it adds up', () => {
  const total = sliceCounts({ planned: 1, loaded: 1 })
  const datasets = [reportedTotals({ dataset: 'coins', ...total, rows: 9, calls: 3 })]
  const lines = reportText(runReport({ calls: 5, choiceCalls: 2, slices: total, datasets }))
  expect(lines.slice(1, 4).map((line) => line.trim().split(/ {2,}/).slice(0, 3))).toEqual([
    ['dataset', 'rows', 'calls'],
    ['coins', '9', '3'],
    ['choice of coins', '-', '2'],
  ])
})

test('a long run is told in minutes and hours', () => {
  const [line] = reportText(runReport({ finishedAt: '2024-01-01T02:30:00.000Z' }))
  expect(line).toBe(`complete: 0 rows, 0 calls, 2.5 h ${HEAD}`)
})

test('what stopped a run comes last, with code and hint; nothing is said of what is there', () => {
  const fatal = { code: 'SOURCE_AUTH', reason: 'refused: GET u', hint: 'Set the key.', exitCode: 4 }
  expect(reportText(runReport({ verdict: 'failed', calls: 1, fatal }))).toEqual([
    `failed: 0 rows, 1 call, 2.0 s ${HEAD}`,
    'error[SOURCE_AUTH]: refused: GET u',
    '  hint: Set the key.',
  ])
})

test('failed slices are told by code, each with its place and one hint', () => {
  const failures = [
    failure('bitcoinx', 'SOURCE_NOT_FOUND'),
    failure('ether', 'SOURCE_TIMEOUT'),
    failure('dogge', 'SOURCE_NOT_FOUND'),
  ]
  const slices = sliceCounts({ planned: 7, loaded: 1, empty: 1, failed: 4, missing: 1 })
  const lines = reportText(runReport({ verdict: 'partial', slices, failures })).slice(2)
  expect(lines).toEqual([
    'error[SOURCE_NOT_FOUND]: market_chart bitcoinx usd 1d [2024-01-01, 2024-02-01): bitcoinx is not there',
    '  as well: market_chart dogge usd 1d [2024-01-01, 2024-02-01)',
    expect.stringMatching(/^ {2}hint: Ids are like .*coinlake get coins/),
    'error[SOURCE_TIMEOUT]: market_chart ether usd 1d [2024-01-01, 2024-02-01): ether is not there',
    '  hint: Run the same command again: only what failed is fetched.',
    '1 more slice failed (table _slices)',
    '1 slice is not in the tables yet; the same command goes on',
  ])
})

test('a full disk loses no answer, so slices are told as not in the tables', () => {
  const fatal = { code: 'STORE_DISK_FULL', reason: 'full', hint: 'Make room.', exitCode: 5 }
  const slices = sliceCounts({ planned: 140, missing: 140 })
  const lines = reportText(runReport({ verdict: 'failed', calls: 78, fatal, slices }))
  expect(lines).toContain(
    '140 slices are not in the tables yet; answers that were fetched are kept',
  )
})

const EMPTY_CHART = reportedTotals({ planned: 1, empty: 1, calls: 1 })

test('why a run without a failed slice is partial: rows that went to no table', () => {
  const slices = sliceCounts({ planned: 2, loaded: 2 })
  const datasets = [
    { ...EMPTY_CHART, quarantined: 1_200 },
    { ...EMPTY_CHART, dataset: 'coins', quarantined: 1 },
    { ...EMPTY_CHART, dataset: 'ohlc' },
  ]
  expect(reportText(runReport({ verdict: 'partial', slices, datasets })).slice(-2)).toEqual([
    'error[ROWS_QUARANTINED]: 1,200 rows of market_chart, 1 row of coins broke a rule and went to no table',
    expect.stringMatching(/^ {2}hint: .*from _quarantine/),
  ])
})

test('listings that moved or were shorter than told are named, and the verdict stands', () => {
  const datasets = [
    { ...EMPTY_CHART, dataset: 'exchange_tickers', empty: 0, loaded: 1, moved: 3, unlisted: 1 },
    { ...EMPTY_CHART, dataset: 'coins', empty: 0, loaded: 1 },
  ]
  const slices = sliceCounts({ planned: 2, loaded: 2 })
  expect(reportText(runReport({ slices, datasets })).slice(4)).toEqual([
    '  exchange_tickers: the listing moved while it was read: 3 items came on two pages, as many may be missing',
    '  exchange_tickers: the source told of 1 item more than it listed',
  ])
})

test.each([
  ['coins', 'kept in _extra of its row, or only in the kept answer'],
  ['nft_platforms', 'only in the kept answer'],
])('where a new field of %s is', (dataset, where) => {
  const one = { ...EMPTY_CHART, dataset, empty: 0, loaded: 1, unknownPaths: { '$[*].zz': 3 } }
  const slices = sliceCounts({ planned: 1, loaded: 1 })
  expect(reportText(runReport({ slices, datasets: [one] })).at(-1)).toBe(
    `  unknown field in ${dataset}: $[*].zz (3 times, ${where})`,
  )
})

test('the first ten new fields of a dataset are named, and the others counted', () => {
  const unknownPaths = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`$.new${i}`, 1]))
  const one = { ...EMPTY_CHART, empty: 0, loaded: 1, unknownPaths }
  const lines = reportText(
    runReport({ slices: sliceCounts({ planned: 1, loaded: 1 }), datasets: [one] }),
  )
  expect(lines.slice(-3)).toEqual([
    expect.stringContaining('$.new8 (1 time'),
    expect.stringContaining('$.new9 (1 time'),
    '  ... and 2 more',
  ])
})

test('coins that are not listed, or fewer than were asked for, are named', () => {
  const absent = (entity: string, wasListed: boolean, isTold: boolean) => ({
    dataset: 'price_quotes',
    entity,
    goneSinceMs: Date.UTC(2024, 0, 5),
    wasListed,
    isTold,
    rows: 1,
    slices: 0,
  })
  const entities = [absent('bitcoim', false, false), absent('luna', true, true)]
  const slices = sliceCounts({ planned: 1, loaded: 1 })
  const datasets = [
    { ...EMPTY_CHART, dataset: 'price_quotes', empty: 0, loaded: 1, quarantined: 2 },
  ]
  const facts = {
    slices,
    datasets,
    shortChoices: [{ selector: 'top:500', wanted: 500, chosen: 30 }],
  }
  const told = { count: 2, newCount: 1, rows: { price_quotes: 2 }, entities }
  const lines = reportText(runReport({ ...facts, verdict: 'partial', absent: told }))
  expect(lines.slice(3)).toEqual([
    '  warning: top:500 is 30 coins: the source listed no more when they were chosen',
    '  unknown at the source: bitcoim was never in an answer for price_quotes (asked since 2024-01-05); is the id right?',
    '  unknown at the source since 2024-01-05: luna is not in the answers for price_quotes any more',
    'error[NOT_LISTED]: 1 id asked for by name, and not in the answer (see above)',
    '  hint: Check the ids. Later runs are complete without them, and name them all the same.',
  ])
})

test('an interval that ends within a day says the minute', () => {
  const toMs = Date.UTC(2024, 0, 8, 3, 30)
  const { sliceId: _, code: __, reason: ___, ...series } = failure('bitcoin', '')
  const lines = reportText(
    runReport({
      verdict: 'partial',
      failures: [{ ...failure('ethereum', 'SOURCE_DATA'), toMs }],
      unreachable: unreachableHistory([{ ...series, toMs, reason: 'source_reach' } as const]),
    }),
  )
  expect(
    lines.filter((line) => line.includes(' [2024-01-01T00:00Z, 2024-01-08T03:30Z): ')),
  ).toEqual([
    expect.stringContaining('7.15 days of 1 series'),
    expect.stringContaining('ethereum is not there'),
  ])
})

test('what the source has nothing for, and what nobody can reach, is told', () => {
  const dataset = { ...EMPTY_CHART, unknownPaths: { '$.new': 1 } }
  const { sliceId: _, code: __, reason: ___, ...series } = failure('bitcoin', '')
  const lines = reportText(
    runReport({
      calls: 1,
      slices: sliceCounts({ planned: 1, empty: 1 }),
      datasets: [dataset],
      unreachable: unreachableHistory([
        { ...series, reason: 'source_reach' } as const,
        { ...series, entity: 'ethereum', reason: 'source_reach' } as const,
        {
          ...series,
          dataset: 'coin_history',
          vsCurrency: '',
          granularity: '',
          reason: 'plan_limit',
        } as const,
      ]),
    }),
  )
  expect(lines).toEqual([
    `complete, unreachable: 93 days: 0 rows, 1 call, 2.0 s ${HEAD}`,
    '  dataset       rows  calls  slices  failed  quarantined',
    '  market_chart     0      1     1/1       0            0',
    '  market_chart: the source has nothing for 1 slice of it',
    '  unknown field in market_chart: $.new (1 time, only in the kept answer)',
    '  cannot be reached: market_chart 1d: 62 days of 2 series [2024-01-01, 2024-02-01): the source does not answer that far back',
    '  cannot be reached: coin_history: 31 days of 1 series [2024-01-01, 2024-02-01): the plan of the key does not reach that far back',
  ])
})
