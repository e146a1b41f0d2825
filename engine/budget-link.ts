import { randomUUID } from 'node:crypto'
import type { Client, WorkflowHandle } from '@temporalio/client'
import { type budget, budgetUpdate, budgetWorkflowId } from '../workflows/budget.ts'
import { type BudgetLease, type BudgetReport, emptyBudget } from '../workflows/steer-budget.ts'
import { type BudgetLink, followBudget, type FollowBudgetOptions } from './follow-budget.ts'
import { budgetQueue } from './queues.ts'

export interface BudgetLinkOptions extends Omit<FollowBudgetOptions, 'member' | 'ask'> {
  client: Client
  keyId: string
  lostAfterMs: number
}

const DEADLINE_MS = 10_000

/** Ties the pacer of this process to the workflow that keeps the budget of its key. */
export function linkBudget(options: BudgetLinkOptions): BudgetLink {
  const { client, keyId, lostAfterMs, ...followed } = options
  const workflowId = budgetWorkflowId(keyId)
  let handle: WorkflowHandle<typeof budget> | null = null

  async function join(): Promise<WorkflowHandle<typeof budget>> {
    await client.workflow.start<typeof budget>('budget', {
      workflowId,
      taskQueue: budgetQueue,
      args: [{ state: emptyBudget }],
      workflowIdConflictPolicy: 'USE_EXISTING',
      staticSummary: 'coinlake: the budget of an API key',
      workflowTaskTimeout: lostAfterMs,
    })
    // A handle from `start` expects a running budget to be in the first run of its chain. After a continue-as-new the
    // server refuses that handle.
    return client.workflow.getHandle<typeof budget>(workflowId)
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
