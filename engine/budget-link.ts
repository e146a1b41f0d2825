import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { WorkflowNotFoundError } from '@temporalio/client'
import type { Client, WorkflowHandle } from '@temporalio/client'
import { budgetUpdate, budgetWorkflowId } from '../workflows/budget.ts'
import type { budget } from '../workflows/budget.ts'
import { newBudget, REPORT_EVERY_MS } from '../workflows/steer-budget.ts'
import type { BudgetLease, MonthUse, WindowRate } from '../workflows/steer-budget.ts'
import type { QueueNames } from './queues.ts'

/** The pacer of this process, as far as a fleet has to do with it. */
export interface SharedPacer {
  usage(): {
    calls: number
    waiting: number
    inWindow: number
    rate: WindowRate | null
    throttledUntilMs: number
  }
  lease(rate: WindowRate | null): void
  throttle(untilMs: number): void
}

export interface BudgetLinkOptions {
  client: Client
  keyId: string
  queues: QueueNames
  /** What only one living process can hold: the warehouse whose store it has open. */
  place: string
  /** Names the workflow code: a budget that other code began is begun anew. */
  workflowsId: string
  pacer: SharedPacer
  /** Calls of the UTC month that are known without the budget. */
  known: MonthUse
  /** Told when the month's count has changed. */
  onUsed: (month: MonthUse) => void
  /** Told once when the budget cannot be reached: this process then keeps the rate by itself. */
  onLost: (error: unknown) => void
}

export interface BudgetLink {
  /** Gives the share back. */
  close(): Promise<void>
}

/** News is looked for this often; it costs nothing. */
const LOOK_EVERY_MS = 100
const REPORT_EVERY_IDLE_MS = 8_000
/** With less than is due: what others give back is wanted soon. */
const REPORT_EVERY_SHORT_MS = 500
/** A process without calls for so long has none to make. */
const BUSY_FOR_MS = 4_000
/** Without a word from the budget for so long, the process goes by its own knowledge. */
const LOST_AFTER_MS = 30_000
const DEADLINE_MS = 10_000

/**
 * Ties the pacer of this process to the budget of its key. Until the first lease nothing leaves;
 * what the source says goes to all others at once.
 */
export function linkBudget(options: BudgetLinkOptions): BudgetLink {
  const { client, pacer, queues, keyId, place, workflowsId, onUsed, onLost } = options
  const workflowId = budgetWorkflowId(keyId)
  const member = randomUUID()
  let handle: WorkflowHandle<typeof budget> | null = null
  let holds: number | null = 0
  let told: { atMs: number; rate: string; holds: number | null; isBusy: boolean } | null = null
  let lease: BudgetLease | null = null
  let heardAtMs = Date.now()
  let busyAtMs = -Infinity
  let lastCalls = 0
  let knownThrottleMs = 0
  let isLost = false
  let { known } = options
  const closing = new AbortController()
  pacer.lease({ calls: 0, perMs: 1 })

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
      workflowTaskTimeout: '10 seconds',
    })
  }

  async function report(isLeaving: boolean): Promise<void> {
    const nowMs = Date.now()
    const { calls, inWindow, rate, throttledUntilMs } = pacer.usage()
    const isBusy = isBusyNow(nowMs)
    const blockedForMs =
      throttledUntilMs > knownThrottleMs ? Math.max(0, throttledUntilMs - nowMs) : 0
    const news = {
      member,
      place,
      calls,
      inWindow,
      isBusy,
      holds,
      rate,
      blockedForMs,
      isLeaving,
      known,
    }
    const before = { atMs: nowMs, rate: JSON.stringify(rate), holds, isBusy }
    const answer = await client.withDeadline(Date.now() + DEADLINE_MS, async () => {
      handle ??= await join()
      return handle.executeUpdate(budgetUpdate, { args: [news] })
    })
    knownThrottleMs = Math.max(knownThrottleMs, throttledUntilMs)
    told = before
    if (!isLeaving) heed(answer)
  }

  function heed(answer: BudgetLease): void {
    const nowMs = Date.now()
    lease = answer
    heardAtMs = nowMs
    isLost = false
    pacer.lease(answer.share)
    holds = answer.share === null ? null : answer.share.calls
    const untilMs = nowMs + answer.blockedForMs
    if (answer.blockedForMs > 0 && untilMs > pacer.usage().throttledUntilMs + LOOK_EVERY_MS * 5) {
      pacer.throttle(untilMs)
      // What came from the budget is no news to it.
      knownThrottleMs = Math.max(knownThrottleMs, pacer.usage().throttledUntilMs)
    }
    const { month } = answer
    if (month.used !== known.used || month.startsAtMs !== known.startsAtMs) {
      known = month
      onUsed(known)
    }
  }

  function isBusyNow(nowMs: number): boolean {
    const { calls, waiting } = pacer.usage()
    if (waiting > 0 || calls !== lastCalls) busyAtMs = nowMs
    lastCalls = calls
    return nowMs - busyAtMs < BUSY_FOR_MS
  }

  function isDue(nowMs: number): boolean {
    const isBusy = isBusyNow(nowMs)
    if (told === null) return true
    const { rate, throttledUntilMs, inWindow } = pacer.usage()
    if (JSON.stringify(rate) !== told.rate || holds !== told.holds) return true
    if (isBusy && !told.isBusy) return true
    if (throttledUntilMs > knownThrottleMs && throttledUntilMs > nowMs) return true
    const isOver = holds !== null && inWindow > holds
    const isWaiting = isBusy && (lease?.isShort === true || isOver)
    const everyMs = isBusy ? REPORT_EVERY_MS : REPORT_EVERY_IDLE_MS
    return nowMs - told.atMs >= (isWaiting ? REPORT_EVERY_SHORT_MS : everyMs)
  }

  async function follow(): Promise<void> {
    while (!closing.signal.aborted) {
      if (isDue(Date.now())) {
        try {
          await report(false)
        } catch (error) {
          handle = null
          if (!isLost && Date.now() - heardAtMs > LOST_AFTER_MS) {
            isLost = true
            holds = null
            pacer.lease(null)
            onLost(error)
          }
          await pause(REPORT_EVERY_SHORT_MS)
        }
      }
      await pause(LOOK_EVERY_MS)
    }
  }

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: closing.signal }).catch(() => undefined)
  }

  const following = follow()
  return {
    async close() {
      closing.abort()
      await following
      // Whoever cannot be told finds out by himself: the share ends with the next reports.
      await report(true).catch(() => undefined)
    },
  }
}
