import { expect, test } from 'vitest'
import { closingAfter } from '../../../cli/run/closing-after.ts'

/** The closed parts when the work and some of the closers fail. */
async function closed({ workFails, failing }: { workFails: boolean; failing: readonly number[] }) {
  const seen: number[] = []
  const ended = closingAfter(async (defer) => {
    for (const number of [1, 2, 3]) {
      defer(async () => {
        seen.push(number)
        if (failing.includes(number)) throw new Error(`closer ${number}`)
      })
    }
    if (workFails) throw new Error('work')
    return 'done'
  })
  const outcome = await ended.catch((error: unknown) => (error as Error).message)
  return { seen, outcome }
}

test.each([
  { workFails: false, failing: [], outcome: 'done' },
  { workFails: true, failing: [], outcome: 'work' },
  { workFails: false, failing: [3], outcome: 'closer 3' },
  { workFails: false, failing: [3, 2], outcome: 'closer 3' },
  { workFails: true, failing: [3, 1], outcome: 'work' },
])('all are closed, the last first: %j', async ({ outcome, ...given }) => {
  expect(await closed(given)).toEqual({ seen: [3, 2, 1], outcome })
})
