import { createHash } from 'node:crypto'

/** The task queues of a warehouse's runs, by the role of the worker that polls each. */
export interface QueueNames {
  workflows: string
  fetch: string
  load: string
}

/** Changed only together with what a budget and its processes say to each other, or with the steps it takes. */
const BUDGET_PROTOCOL = 1

/** The queue of the budgets: every coinlake that speaks this protocol polls it, whatever else differs. */
export const budgetQueue = `coinlake-budget.${BUDGET_PROTOCOL}`

/** 48 bits: enough that two keys or codes never meet, far too few to say anything about a key. */
const ID_HEX_DIGITS = 12

/**
 * A short name for "this key at this service", stable over processes and machines, so that all processes that spend
 * the same budget share it. The name is a hash: the key itself never reaches a workflow id, a log or a history.
 */
export function keyId(secret: string | null, baseUrl: string): string {
  const origin = new URL(baseUrl).origin
  return createHash('sha256')
    .update(`${origin}\n${secret ?? ''}`)
    .digest('hex')
    .slice(0, ID_HEX_DIGITS)
}

/**
 * The names of a warehouse's queues. They carry the hash of the workflow code, so that nobody does the work
 * of another version or another warehouse. `load` has one slot, held by the process that has the store open.
 */
export function queueNames(ids: { warehouseId: string; workflowsId: string }): QueueNames {
  const own = `coinlake.${ids.warehouseId}.${ids.workflowsId.slice(0, ID_HEX_DIGITS)}`
  return { workflows: `${own}.workflows`, fetch: `${own}.fetch`, load: `${own}.load` }
}
