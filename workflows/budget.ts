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
/** For tests alone: a query that waits for a worker breaks the replay (PROGRESS_MEMO in messages.ts). */
export const budgetQuery = defineQuery<BudgetState>('state')

/** A report takes about 5 events. A process that joins replays all events before its first lease, in a millisecond each. */
const EVENTS_PER_HISTORY = 100

/**
 * The budget of one key. Shares the key among the processes that report, and stops all of them after a 429. Never ends
 * and calls no activity, so any process that polls its queue can run it.
 */
export async function budget({ state: begun }: { state: BudgetState }): Promise<void> {
  let state = begun
  let isReporterStaying = false
  setHandler(budgetQuery, () => state)
  setHandler(budgetUpdate, (report) => {
    const steered = steerBudget(state, report, Date.now())
    state = steered.state
    // A process that leaves may end at once, while its worker has taken the first task of the next history.
    isReporterStaying = !report.isLeaving
    return steered.lease
  })
  await condition(() => {
    const { historyLength, continueAsNewSuggested, unsafe } = workflowInfo()
    // A replay must go on wherever its history did. Histories of an older coinlake have more events.
    const isLong = historyLength > EVENTS_PER_HISTORY && !unsafe.isReplaying
    return (isLong && isReporterStaying) || continueAsNewSuggested
  })
  await condition(allHandlersFinished)
  await continueAsNew<typeof budget>({ state })
}
