import { WorkflowNotFoundError, type Client } from '@temporalio/client'
import type { RunReport } from '../../activities/run-report.ts'
import type { Config } from '../../config/config.ts'
import { warehouseIdOf } from '../../config/warehouse-paths.ts'
import type { exportWarehouse } from '../../workflows/export-warehouse.ts'
import { exportWorkflowId } from '../../workflows/messages.ts'
import { withUnreachable } from '../run/newest-reports.ts'

/** The server's report of the last run by hand, for a machine without the warehouse's folder; null = none. */
export async function lastRunOnServer(client: Client, config: Config): Promise<RunReport | null> {
  const id = exportWorkflowId(warehouseIdOf(config))
  const handle = client.workflow.getHandle<typeof exportWarehouse>(id)
  try {
    const { status } = await handle.describe()
    return status.name === 'COMPLETED' ? withUnreachable(await handle.result()) : null
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null
    throw error
  }
}
