import { expect, test } from 'vitest'
import { createRunTracker } from '../../../cli/watch/run-tracker.ts'

const MINUTE_MS = 60_000

test('the end of one run is not the end of another', () => {
  const runs = createRunTracker(() => 0)
  expect(runs.hasOpenRun()).toBe(false)
  runs.note({ kind: 'planned', runId: 'backfill' })
  runs.note({ kind: 'planned', runId: 'window' })
  runs.note({ kind: 'ended', runId: 'window' })
  expect(runs.hasOpenRun()).toBe(true)
  // A page that was on its way when its run ended, and one of no run.
  runs.note({ kind: 'ended', runId: 'backfill' })
  runs.note({ kind: 'page', runId: 'backfill' })
  runs.note({ kind: 'page', runId: '' })
  expect(runs.hasOpenRun()).toBe(false)
})

test('a worker that is begun in mid-run learns of it by its pages; silence ends it', () => {
  let nowMs = 0
  const runs = createRunTracker(() => nowMs)
  runs.note({ kind: 'page', runId: 'taken-over' })
  nowMs = 14 * MINUTE_MS
  expect(runs.hasOpenRun()).toBe(true)
  runs.note({ kind: 'loaded', runId: 'taken-over' })
  nowMs = 28 * MINUTE_MS
  expect(runs.hasOpenRun()).toBe(true)
  nowMs = 30 * MINUTE_MS
  expect(runs.hasOpenRun()).toBe(false)
})

test('a worker of years remembers the runs of late alone', () => {
  const runs = createRunTracker(() => 0)
  runs.note({ kind: 'planned', runId: 'forgotten' })
  for (let run = 0; run < 200; run += 1) runs.note({ kind: 'ended', runId: `window-${run}` })
  expect(runs.hasOpenRun()).toBe(false)
})
