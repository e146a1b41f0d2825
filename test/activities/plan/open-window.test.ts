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

test.for([
  { what: 'on time', waitedMs: 800, newestMs: WINDOW_MS + 9 * HOUR_MS, lateMs: 0 },
  {
    what: 'late, with a newer due time',
    waitedMs: 3 * HOUR_MS,
    newestMs: WINDOW_MS + HOUR_MS,
    lateMs: HOUR_MS,
  },
  { what: 'late, the newest itself', waitedMs: 3 * HOUR_MS, newestMs: WINDOW_MS, lateMs: 0 },
  { what: 'late, its schedule gone', waitedMs: 3 * HOUR_MS, newestMs: null, lateMs: 0 },
])(
  'a window has the order of its schedule, planned for its time or a newer one: $what',
  async ({ waitedMs, newestMs, lateMs }) => {
    const dir = tempDir()
    const templateId = await writeOrder(dir, TEMPLATE)
    const window = { schedule: 'hourly', scheduledMs: WINDOW_MS, waitedMs }
    const deps = { otherRuns: others(newestMs), ordersDir: dir }
    const opened = await openWindow(deps, { runId: 'r1', templateId, ...window })
    const windowMs = WINDOW_MS + lateMs
    expect(opened).toMatchObject({ workflowsId: 'code-1', windowMs })
    expect(await readOrder(dir, opened.orderId)).toEqual({ ...TEMPLATE, asOfMs: windowMs })
  },
)
