import { randomUUID } from 'node:crypto'
import { WorkflowNotFoundError } from '@temporalio/client'
import type { Client, WorkflowHandle } from '@temporalio/client'
import { budgetUpdate, budgetWorkflowId } from '../workflows/budget.ts'
import type { budget } from '../workflows/budget.ts'
import { newBudget } from '../workflows/steer-budget.ts'
import type { BudgetLease, BudgetReport } from '../workflows/steer-budget.ts'
import { followBudget } from './follow-budget.ts'
import type { BudgetLink, FollowBudgetOptions } from './follow-budget.ts'
import type { QueueNames } from './queues.ts'

export type { BudgetLink } from './follow-budget.ts'

export interface BudgetLinkOptions extends Pick<
  FollowBudgetOptions,
  'place' | 'pacer' | 'month' | 'known' | 'onUsed' | 'onLost'
> {
  client: Client
  keyId: string
  queues: QueueNames
  /** Names the workflow code: a budget that other code began is begun anew. */
  workflowsId: string
  /** How long a worker may be silent before another goes on with the budget. */
  lostAfterMs: number
}

const DEADLINE_MS = 10_000

/** Ties the pacer of this process to the workflow that keeps the budget of its key. */
export function linkBudget(options: BudgetLinkOptions): BudgetLink {
  const { client, queues, keyId, workflowsId, lostAfterMs, ...followed } = options
  const workflowId = budgetWorkflowId(keyId)
  let handle: WorkflowHandle<typeof budget> | null = null

  async function join(): Promise<WorkflowHandle<typeof budget>> {
    const begun = client.workflow.getHandle<typeof budget>(workflowId)
    try {
      const { status, memo } = await begun.describe()
      if (status.name === 'RUNNING' && memo?.['workflowsId'] !== workflowsId) {
        await begun.terminate('begun by other workflow code; the processes report anew')
      }
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error
    }
    return client.workflow.start<typeof budget>('budget', {
      workflowId,
      taskQueue: queues.workflows,
      args: [{ queues: { fetch: queues.fetch, control: queues.control }, state: newBudget }],
      memo: { workflowsId },
      workflowIdConflictPolicy: 'USE_EXISTING',
      staticSummary: 'coinlake: the budget of an API key',
      workflowTaskTimeout: lostAfterMs,
    })
  }

  async function ask(report: BudgetReport): Promise<BudgetLease> {
    try {
      return await client.withDeadline(Date.now() + DEADLINE_MS, async () => {
        handle ??= await join()
        return handle.executeUpdate(budgetUpdate, { args: [report] })
      })
    } catch (error) {
      handle = null
      throw error
    }
  }

  return followBudget({ ...followed, member: randomUUID(), ask })
}
