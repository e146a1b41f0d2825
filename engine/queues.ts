import { hash } from 'node:crypto'
import type { RunQueues } from '../workflows/messages.ts'

/** The task queues of a warehouse's runs, by the role of the worker that polls each. */
export interface QueueNames extends RunQueues {
  workflows: string
}

/** To be raised when the messages of a budget or the steps of its workflow change. */
const BUDGET_PROTOCOL = 1

/** The queue of the budgets. Processes of all coinlake versions with this protocol poll it. */
export const budgetQueue = `coinlake-budget.${BUDGET_PROTOCOL}`

/** 48 bits tell all keys and codes apart, but do not reveal a key. */
const ID_HEX_DIGITS = 12

/**
 * A short name of a key at a service. All processes with the key compute the same name and so share one budget. The
 * name is a hash, so that the key never reaches a workflow id, a log or a history.
 */
export function keyId(secret: string | null, baseUrl: string): string {
  const origin = new URL(baseUrl).origin
  return hash('sha256', `${origin}\n${secret ?? ''}`, 'hex').slice(0, ID_HEX_DIGITS)
}

/** The names contain the hash of the workflow code, so that no worker does the work of another version. */
export function queueNames(ids: { warehouseId: string; workflowsId: string }): QueueNames {
  const own = `coinlake.${ids.warehouseId}.${ids.workflowsId.slice(0, ID_HEX_DIGITS)}`
  return { workflows: `${own}.workflows`, fetch: `${own}.fetch`, load: `${own}.load` }
}
