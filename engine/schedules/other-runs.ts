import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import type { OtherRuns } from '../../activities/activity-deps.ts'
import { exportWorkflowId } from '../../workflows/messages.ts'
import { scheduleId, syncExportId } from '../../workflows/sync-messages.ts'
import { findSchedule } from './apply-schedules.ts'
import { newestDueMs } from './missed-window.ts'

/** How far back the newest due window is looked for: schedules have a window at least once a month. */
const LOOK_BACK_MS = 35 * 86_400_000

export function otherRuns(client: Client, warehouseId: string, workflowsId: string): OtherRuns {
  return {
    workflowsId,
    async stillOpen(runs) {
      const ids = Map.groupBy(runs, ({ schedule }) =>
        schedule === null ? exportWorkflowId(warehouseId) : syncExportId(warehouseId, schedule),
      )
      const open = await Promise.all([...ids.keys()].map((id) => openRunId(client, id)))
      const openIds = new Set(open)
      return runs.map(({ runId }) => runId).filter((runId) => openIds.has(runId))
    },
    async newestWindowMs(schedule) {
      const id = scheduleId(warehouseId, schedule)
      if ((await findSchedule(client, id)) === null) return null
      return newestDueMs(client, id, LOOK_BACK_MS, Date.now())
    },
  }
}

/** The run that a workflow executes now; null = the workflow is not running. */
async function openRunId(client: Client, workflowId: string): Promise<string | null> {
  try {
    const { status, memo } = await client.workflow.getHandle(workflowId).describe()
    const runId = memo?.['runId']
    return status.name === 'RUNNING' && typeof runId === 'string' ? runId : null
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null
    throw error
  }
}
