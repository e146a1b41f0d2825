import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineUpdate,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import { steerBudget } from './steer-budget.ts'
import type { BudgetLease, BudgetReport, BudgetState } from './steer-budget.ts'

/** Workflow id of a key's budget. All processes with the key and this protocol share it. */
export function budgetWorkflowId(keyId: string): string {
  return `budget.1/${keyId}`
}

export const budgetUpdate = defineUpdate<BudgetLease, [BudgetReport]>('report')
export const budgetQuery = defineQuery<BudgetState>('state')

/** A report takes about 5 events. */
const EVENTS_PER_HISTORY = 4_000

/**
 * The budget of one key. Shares the key among the processes that report, and stops all of them after a 429. Never ends
 * and calls no activity, so any process that polls its queue can run it.
 */
export async function budget({ state: begun }: { state: BudgetState }): Promise<void> {
  let state = begun
  setHandler(budgetQuery, () => state)
  setHandler(budgetUpdate, (report) => {
    const steered = steerBudget(state, report, Date.now())
    state = steered.state
    return steered.lease
  })
  await condition(() => {
    const { historyLength, continueAsNewSuggested } = workflowInfo()
    return historyLength > EVENTS_PER_HISTORY || continueAsNewSuggested
  })
  await condition(allHandlersFinished)
  await continueAsNew<typeof budget>({ state })
}
