import { ApplicationFailure, executeChild, uuid4, workflowInfo } from '@temporalio/workflow'
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common'
import type { RunReport } from '../activities/run-report.ts'
import { storeActivities } from './activity-proxies.ts'
import { exportWarehouse } from './export-warehouse.ts'
import { syncExportId, type SyncInput, type SyncResult } from './sync-messages.ts'

/** Temporal's search attribute with the scheduled time, however late the workflow began. */
const SCHEDULED_AT = defineSearchAttributeKey(
  'TemporalScheduledStartTime',
  SearchAttributeType.DATETIME,
)
const RANDOM_DIGITS = 6

/**
 * One window of a schedule: an export up to the scheduled time, of a late window up to the newest due time.
 */
export async function syncWarehouse(input: SyncInput): Promise<SyncResult> {
  const { typedSearchAttributes, startTime, taskTimeoutMs } = workflowInfo()
  const scheduledAt = typedSearchAttributes.get(SCHEDULED_AT) ?? startTime
  const window = scheduledAt.toISOString()
  const { warehouseId, schedule, templateId, run } = input
  const runId = runIdOf(window)
  const { orderId, workflowsId, windowMs } = await storeActivities(run.queues).openWindow({
    runId,
    schedule,
    templateId,
    scheduledMs: scheduledAt.getTime(),
    waitedMs: Date.now() - startTime.getTime(),
  })
  const report: RunReport = await executeChild(exportWarehouse, {
    workflowId: syncExportId(warehouseId, schedule),
    args: [{ ...run, runId, orderId, kind: 'sync', schedule, windowMs }],
    memo: { orderId, runId, workflowsId },
    workflowTaskTimeout: taskTimeoutMs,
    staticSummary: `coinlake ${schedule} ${window}`,
  })
  if (report.verdict === 'failed') {
    const { fatal, failures } = report
    throw ApplicationFailure.nonRetryable(
      (fatal ?? failures[0])?.reason ?? '',
      fatal?.code ?? 'RUN_FAILED',
      { hint: fatal?.hint },
    )
  }
  return { window, runId, verdict: report.verdict }
}

/** A run id as the CLI makes it: the scheduled time and a random suffix. */
function runIdOf(window: string): string {
  const stamp = window.replace(/[-:]/g, '').slice(0, 15)
  return `${stamp}-${uuid4().slice(0, RANDOM_DIGITS)}`
}
