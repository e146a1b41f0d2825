import { expect, test } from 'vitest'
import { runLine } from '../../../cli/watch/run-lines.ts'
import { PARTIAL } from '../../activities/alerts/sample-report.ts'

test('a run is a line where it begins and a line where it ends', () => {
  const of = { runId: 'r1', schedule: 'hourly' }
  expect(runLine({ kind: 'planned', ...of, slices: 1 })).toBe(
    'run r1 of schedule hourly begun: 1 slice to fetch',
  )
  expect(runLine({ kind: 'planned', ...of, slices: 0 })).toMatch(/begun: nothing is due$/)
  expect(runLine({ kind: 'ended', ...of, report: PARTIAL })).toBe(
    'run r1 of schedule hourly partial: 3 slices (1 not loaded), 12 calls, 340 rows, 60.0 s',
  )
  const fatal = { code: 'SOURCE_AUTH', reason: 'HTTP 401', hint: 'Do.', exitCode: 4 }
  const report = { ...PARTIAL, verdict: 'failed' as const, fatal }
  expect(runLine({ kind: 'ended', runId: 'r1', schedule: '', report })).toMatch(
    /^run r1 failed: .*; SOURCE_AUTH: HTTP 401$/,
  )
  expect(
    runLine({
      kind: 'broken',
      ...of,
      orderId: 'o',
      code: 'STORE_DISK_FULL',
      reason: 'full',
      hint: '',
    }),
  ).toBe('run r1 of schedule hourly broke off: STORE_DISK_FULL: full')
  const sent = { dataset: 'price_quotes', sliceId: 's', step: 0, page: 1, outcome: 'page' }
  const page = { kind: 'page', runId: 'r1', ...sent, calls: 3, rows: 1, bytes: 1 } as const
  expect(runLine({ ...page, durationMs: 1 })).toBeNull()
  expect(runLine({ ...page, durationMs: 1, leftOut: ['precision', 'order'] })).toBe(
    'run r1: the source refuses parameters (precision, order): price_quotes is fetched without them',
  )
  const load = { slices: 1, rows: 1, sliceIds: [], durationMs: 1 }
  expect(runLine({ kind: 'loaded', runId: 'r1', ...load })).toBeNull()
})
