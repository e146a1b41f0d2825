import { createHash } from 'node:crypto'

/** The task queues of a warehouse's runs, by the role of the worker that polls each. */
export interface QueueNames {
  workflows: string
  fetch: string
  load: string
}

/** Changes with the messages between a budget and its processes, and with the steps of the budget's workflow. */
const BUDGET_PROTOCOL = 1

/** The queue of the budgets. Every coinlake of this protocol polls it, whatever its version. */
export const budgetQueue = `coinlake-budget.${BUDGET_PROTOCOL}`

/** 48 bits: enough to tell all keys and codes apart, far too few to reveal a key. */
const ID_HEX_DIGITS = 12

/**
 * A short name of a key at a service, the same on all machines, so that all processes with the key share one budget.
 * The name is a hash, so that the key itself never reaches a workflow id, a log or a history.
 */
export function keyId(secret: string | null, baseUrl: string): string {
  const origin = new URL(baseUrl).origin
  return createHash('sha256')
    .update(`${origin}\n${secret ?? ''}`)
    .digest('hex')
    .slice(0, ID_HEX_DIGITS)
}

/**
 * The names of a warehouse's queues, with the hash of the workflow code, so that no worker does the work of another
 * version or another warehouse. Only the process that has the store open polls `load`, with one slot.
 */
export function queueNames(ids: { warehouseId: string; workflowsId: string }): QueueNames {
  const own = `coinlake.${ids.warehouseId}.${ids.workflowsId.slice(0, ID_HEX_DIGITS)}`
  return { workflows: `${own}.workflows`, fetch: `${own}.fetch`, load: `${own}.load` }
}
