import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { startOfMonthMs } from '../../api/month-gate.ts'
import { gatedPacer } from '../../api/gated-pacer.ts'
import { createMonthGate } from '../../api/month-gate.ts'
import { MonthSpentError } from '../../api/month-spent-error.ts'
import { createPacer } from '../../api/pacer.ts'
import { linkBudget } from '../../engine/budget-link.ts'
import { workflowBundle } from '../../engine/workflow-bundle.ts'
import { budgetWorkflowId } from '../../workflows/budget.ts'
import { engineUnderTest } from './fixtures/engine-under-test.ts'

const RATE = { calls: 200, perMs: 1_000 }
const LIMITS = { ceiling: 120, reserve: 20 }
const KNOWN = 40

test('processes of one key make all calls of its month and not one more, a backfill those before the reserve', async () => {
  const { client, start } = await engineUnderTest()
  await start({ roles: ['budget'], workflowBundle: await workflowBundle({ env: process.env }) })
  const keyId = randomUUID()
  const handle = client.workflow.getHandle(budgetWorkflowId(keyId))
  onTestFinished(() => void handle.terminate().catch(() => undefined))
  const made: ('backfill' | 'by hand')[] = []
  let used = 0

  /** Asks without end, each answered at once; gives what ended it. */
  const spend = async (who: (typeof made)[number]): Promise<unknown> => {
    const pacer = createPacer({ rate: RATE })
    const gate = createMonthGate({ ...LIMITS, reserveOf: () => LIMITS.reserve, keyId })
    const link = linkBudget({
      client,
      keyId,
      place: randomUUID(),
      lostAfterMs: 10_000,
      pacer,
      month: {
        limits: LIMITS,
        setLease: (lease) => gate.setLease(lease),
        waiting: () => gate.waiting(),
      },
      monthUse: { startsAtMs: startOfMonthMs(Date.now()), used: KNOWN },
      onUsed: (month) => {
        used = Math.max(used, month.used)
      },
      onLost: () => undefined,
    })
    const gated = gatedPacer(pacer, gate)
    try {
      for (;;) {
        await gated.acquire({ mayUseReserve: who === 'by hand' })
        made.push(who)
        gated.observe(null, 0)
      }
    } catch (error) {
      return error
    } finally {
      await link.close()
    }
  }

  const ends = await Promise.all([spend('backfill'), spend('backfill'), spend('by hand')])
  for (const end of ends) expect(end).toBeInstanceOf(MonthSpentError)
  expect(made).toHaveLength(LIMITS.ceiling - KNOWN)
  const backfilled = made.filter((who) => who === 'backfill').length
  expect(backfilled).toBeLessThanOrEqual(LIMITS.ceiling - LIMITS.reserve - KNOWN)
  expect(used).toBe(LIMITS.ceiling)
})
