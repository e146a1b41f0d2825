import { expect, test } from 'vitest'
import { exitCodeOf } from '../../../cli/commands/backfill.ts'
import type { RunReport } from '../../../activities/run-report.ts'
import { runReport, sliceCounts } from '../../parts/run-report.ts'

const SOME = sliceCounts({ loaded: 1 })
const NONE = sliceCounts()

test.each<[RunReport['verdict'], number | null, RunReport['slices'], number]>([
  ['complete', null, NONE, 0],
  ['partial', null, SOME, 3],
  ['cancelled', null, NONE, 3],
  ['failed', null, NONE, 7],
  // The month is used up before the first call: the rest waits.
  ['partial', 3, NONE, 3],
  ['failed', 3, NONE, 7],
  ['failed', 3, SOME, 3],
  ['failed', 4, NONE, 4],
  ['failed', 5, SOME, 5],
  ['failed', 99, NONE, 1],
])(
  'a %s run with the fatal exit code %s and the slices %o exits with %i',
  (verdict, early, slices, code) => {
    const fatal = early === null ? null : { code: 'X', reason: '', hint: '', exitCode: early }
    expect(exitCodeOf(runReport({ verdict, fatal, slices }))).toBe(code)
  },
)
