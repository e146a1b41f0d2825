import type { Connection } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'

/** Finished runs stay visible for a week. Each activity takes about 2 kB of a database that never shrinks. */
const RETENTION_MS = 7 * 86_400_000
const ANSWER_WITHIN_MS = 10_000

/**
 * Sets how long a new dev server keeps the histories of finished runs.
 *
 * @throws Error when its namespace does not answer.
 */
export async function setRetention(connection: Connection, namespace: string): Promise<void> {
  await connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
    connection.workflowService.updateNamespace({
      namespace,
      config: { workflowExecutionRetentionTtl: msToTs(RETENTION_MS) },
    }),
  )
}
