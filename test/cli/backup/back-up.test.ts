import { expect, test } from 'vitest'
import { restoredMomentMs } from '../../../cli/backup/back-up.ts'

const DAY_MS = 86_400_000

test.for([
  { isOfStore: true, keep: 'none', moment: 10 },
  { isOfStore: false, keep: 'forever', moment: 10 },
  { isOfStore: false, keep: 5 * DAY_MS, moment: 10 },
  { isOfStore: false, keep: DAY_MS, moment: 7 },
  { isOfStore: false, keep: 'none', moment: 7 },
] as const)(
  'a backup of day 10 with a file of day 7: store $isOfStore, keep $keep, so day $moment',
  ({ isOfStore, keep, moment }) => {
    const days = { atMs: 10 * DAY_MS, fileMs: 7 * DAY_MS }
    expect(restoredMomentMs({ ...days, isOfStore, keep })).toBe(moment * DAY_MS)
  },
)
