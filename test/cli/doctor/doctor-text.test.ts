import { expect, test } from 'vitest'
import { doctorLines } from '../../../cli/doctor/doctor-text.ts'
import { doubt, fine, skipped, type CheckResult } from '../../../cli/doctor/finding.ts'

const SOURCE_UNASKED = { source: skipped('a worker uses the key'), clock: skipped('no answer') }

test.for<[Record<string, CheckResult>, string]>([
  [{ config: fine('there') }, 'All well: a run can be made.'],
  [{ config: fine('there'), ...SOURCE_UNASKED }, 'No fault; not checked: source, clock.'],
  [
    { month: doubt({ what: 'w', code: 'C', hint: 'h' }), ...SOURCE_UNASKED },
    'No fault, 1 warning; not checked: source, clock.',
  ],
  [
    { month: doubt({ what: 'w', code: 'C', hint: 'h' }) },
    'No fault, 1 warning: a run can be made.',
  ],
])('doctor promises a run only where all was checked', ([checks, end]) => {
  const findings = Object.entries(checks).map(([about, check]) => ({ about, ...check }))
  expect(doctorLines(findings).at(-1)).toBe(end)
})
