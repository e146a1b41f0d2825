import type { Connection } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'

/**
 * How long finished runs stay visible. The truth about them is in the ledger, and an activity takes
 * about 2 kB of the server's database, which never shrinks: a week is for looking back.
 */
const RETENTION_MS = 7 * 86_400_000
const ANSWER_WITHIN_MS = 10_000

/**
 * Sets how long a new dev server keeps the histories of finished runs.
 *
 * @throws when its namespace does not answer.
 */
export async function keepHistory(connection: Connection, namespace: string): Promise<void> {
  await connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
    connection.workflowService.updateNamespace({
      namespace,
      config: { workflowExecutionRetentionTtl: msToTs(RETENTION_MS) },
    }),
  )
}
