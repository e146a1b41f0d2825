import { expect, test } from 'vitest'
import type { OtherRuns } from '../../../activities/activity-deps.ts'
import { openWindow } from '../../../activities/plan/open-window.ts'
import { readOrder, writeOrder } from '../../../activities/plan/order-file.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { wantedOf } from '../../plan/test-dataset.ts'

const WINDOW_MS = Date.UTC(2026, 0, 15, 12)
const HOUR_MS = 3_600_000
const TEMPLATE = { wanted: [wantedOf({ dataset: 'market_chart' })] }

function others(newestMs: number | null): OtherRuns {
  return {
    stillOpen: async () => [],
    newestWindowMs: async () => newestMs,
    workflowsId: 'code-1',
  }
}

test('a window has the order of its schedule, planned for the scheduled time', async () => {
  const dir = tempDir()
  const templateId = await writeOrder(dir, TEMPLATE)
  const input = { runId: 'r1', schedule: 'hourly', templateId, windowMs: WINDOW_MS, waitedMs: 800 }
  const otherRuns = others(WINDOW_MS + 9 * HOUR_MS)
  const opened = await openWindow({ otherRuns, ordersDir: dir }, input)
  expect(opened).toMatchObject({ workflowsId: 'code-1', supersededByMs: null })
  expect(await readOrder(dir, opened.orderId)).toEqual({ ...TEMPLATE, asOfMs: WINDOW_MS })
})

test.for([
  { newestMs: WINDOW_MS + HOUR_MS, supersededByMs: WINDOW_MS + HOUR_MS },
  { newestMs: WINDOW_MS, supersededByMs: null },
  { newestMs: null, supersededByMs: null },
])(
  'one that waited for a worker gives way to a later one only: newest $newestMs',
  async ({ newestMs, supersededByMs }) => {
    const dir = tempDir()
    const templateId = await writeOrder(dir, TEMPLATE)
    const window = { schedule: 'hourly', windowMs: WINDOW_MS, waitedMs: 3 * HOUR_MS }
    const input = { runId: 'r1', templateId, ...window }
    const deps = { otherRuns: others(newestMs), ordersDir: dir }
    expect(await openWindow(deps, input)).toMatchObject({ supersededByMs })
  },
)
