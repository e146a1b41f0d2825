import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineUpdate,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import type { ControlActivities } from '../activities/activity-types.ts'
import { queueCap, steerBudget } from './steer-budget.ts'
import type { BudgetLease, BudgetReport, BudgetState } from './steer-budget.ts'

export interface BudgetInput {
  queues: { fetch: string; control: string }
  state: BudgetState
}

/** Workflow id of a key's budget: one for all processes and warehouses that use the key. */
export function budgetWorkflowId(keyId: string): string {
  return `budget/${keyId}`
}

export const budgetUpdate = defineUpdate<BudgetLease, [BudgetReport]>('report')
export const budgetQuery = defineQuery<BudgetState>('state')

/** A report is about 5 events. */
const EVENTS_PER_HISTORY = 4_000
const TRY_AGAIN_MS = 5_000

/**
 * The budget of one key: shares it among the processes that report, stops all of them when one was
 * told to wait, and is the only one that sets the cap of the key's fetch queue. It never ends; the
 * cap of a stopped queue is lifted by a durable timer, whoever has died meanwhile.
 */
export async function budget({ queues, state: begun }: BudgetInput): Promise<void> {
  const { setCap } = proxyActivities<ControlActivities>({
    taskQueue: queues.control,
    startToCloseTimeout: '10 seconds',
    scheduleToStartTimeout: '30 seconds',
    retry: { maximumAttempts: 3 },
  })
  let state = begun
  /** Undefined = not known, so it is set in any case. */
  let cap: number | null | undefined
  setHandler(budgetQuery, () => state)
  setHandler(budgetUpdate, (report) => {
    if (state.members[report.member] === undefined) cap = undefined
    const steered = steerBudget(state, report, Date.now())
    state = steered.state
    return steered.lease
  })

  const isCapDue = (): boolean => cap !== queueCap(state, Date.now())
  const isHistoryFull = (): boolean =>
    workflowInfo().historyLength > EVENTS_PER_HISTORY || workflowInfo().continueAsNewSuggested
  while (!isHistoryFull()) {
    const blockedMs = state.blockedUntilMs - Date.now()
    const isWorthATurn = (): boolean =>
      isCapDue() || isHistoryFull() || state.blockedUntilMs - Date.now() > Math.max(0, blockedMs)
    if (blockedMs > 0) await condition(isWorthATurn, blockedMs)
    else await condition(isWorthATurn)
    if (!isCapDue()) continue
    const callsPerSecond = queueCap(state, Date.now())
    try {
      await setCap({ fetchQueue: queues.fetch, callsPerSecond })
      cap = callsPerSecond
    } catch {
      // No process of ours is there, or the server is too old: the pacers keep the rate meanwhile.
      cap = undefined
      await condition(isHistoryFull, TRY_AGAIN_MS)
    }
  }
  await condition(allHandlersFinished)
  await continueAsNew<typeof budget>({ queues, state })
}
