import { Client } from '@temporalio/client'
import { readMonthCount, startOfMonthMs, writeMonthCount } from '../../activities/month-count.ts'
import type { Pacer } from '../../api/pacer.ts'
import { warehouseId } from '../../config/warehouse-paths.ts'
import { linkBudget } from '../../engine/budget-link.ts'
import type { BudgetLink } from '../../engine/budget-link.ts'
import type { Engine } from '../../engine/connect.ts'
import type { QueueNames } from '../../engine/queues.ts'
import type { EngineLog } from '../../engine/runtime.ts'
import type { OpenWarehouse } from './open-warehouse.ts'

export interface ShareBudgetOptions {
  engine: Engine
  warehouse: OpenWarehouse
  pacer: Pacer
  keyId: string
  queues: QueueNames
  workflowsId: string
  log: EngineLog
}

/** The count is written at most this often, and at the end. */
const WRITE_EVERY_MS = 10_000

/**
 * Ties this process to the budget of its key, and keeps the month's count in the warehouse. Months
 * are those of real time, whatever the market's clock says.
 */
export async function shareBudget(options: ShareBudgetOptions): Promise<BudgetLink> {
  const { engine, warehouse, keyId, queues, workflowsId, pacer, log } = options
  const { store, paths } = warehouse
  const nowMs = Date.now()
  const startsAtMs = startOfMonthMs(nowMs)
  const used = Math.max(
    await store.callsSince(startsAtMs),
    await readMonthCount(paths.stateDir, keyId, nowMs),
  )
  let known = { startsAtMs, used }
  let writtenAtMs = -Infinity
  const write = async (): Promise<void> => {
    writtenAtMs = Date.now()
    const count = { keyId, monthStartsAtMs: known.startsAtMs, used: known.used }
    // A full disk is told by whoever writes rows; the count is told again.
    await writeMonthCount(paths.stateDir, count).catch(() => undefined)
  }
  const link = linkBudget({
    client: new Client({ connection: engine.connection, namespace: engine.namespace }),
    keyId,
    queues,
    place: warehouseId(paths.root),
    workflowsId,
    pacer,
    known,
    onUsed: (month) => {
      known = month
      if (Date.now() - writtenAtMs >= WRITE_EVERY_MS) void write()
    },
    onLost: (error) =>
      log(
        'WARN',
        `the budget of the key cannot be reached, the rate is kept here: ${String(error)}`,
        {},
      ),
  })
  return {
    async close() {
      await link.close()
      await write()
    },
  }
}
