import type { Client } from '@temporalio/client'
import type { CallRate } from '../../api/rate-headers.ts'
import { budgetQuery, budgetWorkflowId } from '../../workflows/budget.ts'

export interface AllowedRate {
  /** The rate, some seconds old; null = not known yet. */
  now(): CallRate | null
  close(): Promise<void>
}

const ASK_EVERY_MS = 5_000
const ANSWER_MS = 3_000

export function followAllowedRate(client: Client, keyIds: readonly string[]): AllowedRate {
  let rate: CallRate | null = null
  let askedMs = -Infinity
  let asking: Promise<void> = Promise.resolve()
  let isClosed = false
  const ask = async (): Promise<void> => {
    rate = (await askAllowedRate(client, keyIds)) ?? rate
  }
  return {
    now() {
      if (!isClosed && performance.now() - askedMs >= ASK_EVERY_MS) {
        askedMs = performance.now()
        asking = ask()
      }
      return rate
    },
    async close() {
      isClosed = true
      await asking
    },
  }
}

/** Asks the budgets for the rate once; null = one does not answer or does not know. */
export async function askAllowedRate(
  client: Client,
  keyIds: readonly string[],
): Promise<CallRate | null> {
  const rates = await Promise.all(
    keyIds.map(async (keyId) => {
      const handle = client.workflow.getHandle(budgetWorkflowId(keyId))
      // A deadline and no timer, because gRPC throws out of its timer after the connection is closed.
      const state = await client
        .withDeadline(Date.now() + ANSWER_MS, () => handle.query(budgetQuery))
        .catch(() => null)
      return state?.rate ?? null
    }),
  )
  const [first] = rates
  if (first === undefined || first === null) return null
  let calls = 0
  for (const rate of rates) {
    if (rate === null) return null
    calls += (rate.calls * first.perMs) / rate.perMs
  }
  return { calls: Math.round(calls), perMs: first.perMs }
}
