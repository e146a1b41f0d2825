import { hostname } from 'node:os'
import { Client } from '@temporalio/client'
import { startOfMonthMs, writeMonthCount } from '../../activities/month-count.ts'
import { warehouseId } from '../../config/warehouse-paths.ts'
import { linkBudget } from '../../engine/budget-link.ts'
import type { BudgetLink } from '../../engine/budget-link.ts'
import type { Engine } from '../../engine/connect.ts'
import type { EngineLog } from '../../engine/runtime.ts'
import type { HostedKey } from './host-key.ts'
import type { ReserveOf } from './month-reserve.ts'
import type { OpenWarehouse } from './open-warehouse.ts'

export interface ShareBudgetOptions {
  engine: Engine
  warehouse: OpenWarehouse
  key: HostedKey
  /** Calls that the month holds; null = no ceiling is known. */
  ceiling: number | null
  reserveOf: ReserveOf
  /** Calls of this UTC month under the key, as far as the warehouse knows. */
  used: number
  /** Called with the month's calls, at first and after each change. */
  onUsed: (calls: number) => void
  log: EngineLog
}

/** The count is written at most this often, and at the end. */
const WRITE_EVERY_MS = 10_000

/**
 * Ties this process to the budget of a key, and keeps the month's count in the warehouse. Months
 * are those of real time, whatever the market's clock says.
 */
export function shareBudget(options: ShareBudgetOptions): BudgetLink {
  const { engine, warehouse, key, ceiling, reserveOf, used, onUsed, log } = options
  const { keyId, pacer, gate } = key
  const { paths } = warehouse
  const reserve = (): number => (ceiling === null ? 0 : reserveOf(ceiling, Date.now()))
  let monthUse = { startsAtMs: startOfMonthMs(Date.now()), used }
  let writtenAtMs = -Infinity
  onUsed(used)
  const write = async (): Promise<void> => {
    writtenAtMs = Date.now()
    const { startsAtMs: monthStartsAtMs, used: calls } = monthUse
    const { rate } = pacer.usage()
    const learned = rate === null ? {} : { rate }
    const count = { keyId, monthStartsAtMs, used: calls, reserve: reserve(), ...learned }
    // A full disk is told by whoever writes rows; the count is told again.
    await writeMonthCount(paths.stateDir, count).catch(() => undefined)
  }
  const link = linkBudget({
    client: new Client({ connection: engine.connection, namespace: engine.namespace }),
    keyId,
    lostAfterMs: engine.lostAfterMs,
    // One process has a folder; a lake has folders of the same name on several machines.
    place: `${paths.lake === null ? '' : `${hostname()}/`}${warehouseId(paths.root)}`,
    pacer,
    month: {
      // The calls that schedules still need shrink with the month.
      get limits() {
        return { ceiling, reserve: reserve() }
      },
      lease: (lease) => gate.lease(lease),
      waiting: () => gate.waiting(),
    },
    monthUse,
    onUsed: (month) => {
      monthUse = month
      onUsed(month.used)
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
