import { expect, test } from 'vitest'
import { restoredMomentMs } from '../../../cli/backup/back-up.ts'

const DAY_MS = 86_400_000

test.for([
  { equalsStore: true, keep: 'none', moment: 10 },
  { equalsStore: false, keep: 'forever', moment: 10 },
  { equalsStore: false, keep: 5 * DAY_MS, moment: 10 },
  { equalsStore: false, keep: DAY_MS, moment: 7 },
  { equalsStore: false, keep: 'none', moment: 7 },
] as const)(
  'a backup of day 10 with a file of day 7: store $equalsStore, keep $keep, so day $moment',
  ({ equalsStore, keep, moment }) => {
    const days = { atMs: 10 * DAY_MS, fileMs: 7 * DAY_MS }
    expect(restoredMomentMs(keep, { ...days, equalsStore })).toBe(moment * DAY_MS)
  },
)
