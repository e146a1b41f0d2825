import { hostname } from 'node:os'
import type { CallRate } from '../../api/rate-headers.ts'
import { writeMonthCount } from '../../activities/month-count.ts'
import { startOfMonthMs } from '../../api/month-gate.ts'
import { warehouseId } from '../../config/warehouse-paths.ts'
import { linkBudget } from '../../engine/budget-link.ts'
import type { BudgetLink } from '../../engine/follow-budget.ts'
import type { EngineLog } from '../../engine/runtime.ts'
import type { ConnectedClient } from './connect-client.ts'
import type { OpenKey } from './open-key.ts'
import type { ReserveOf } from './month-reserve.ts'
import type { OpenWarehouse } from './open-warehouse.ts'

interface ShareBudgetOptions extends Omit<ConnectedClient, 'close'> {
  warehouse: OpenWarehouse
  key: OpenKey
  /** All calls of the month; null = no ceiling is known. */
  ceiling: number | null
  reserveOf: ReserveOf
  /** Known calls of this UTC month with the key. */
  used: number
  /** The rate that was learned before; null = none. */
  learnedRate: CallRate | null
  /** Called with the month's calls at the beginning and after each change. */
  onUsed: (calls: number) => void
  log: EngineLog
}

/** Least time between two writes. A new rate and the last count do not wait. */
const WRITE_EVERY_MS = 10_000

/**
 * Links this process to the budget of a key, and keeps the month's count in the warehouse. Months are those of real
 * time, whatever the market's clock shows.
 */
export function shareBudget(options: ShareBudgetOptions): BudgetLink {
  const { client, engine, warehouse, key, ceiling, reserveOf, used, learnedRate, onUsed, log } =
    options
  const { keyId, pacer, gate } = key
  const { paths } = warehouse
  const reserve = (): number => (ceiling === null ? 0 : reserveOf(ceiling, Date.now()))
  let monthUse = { startsAtMs: startOfMonthMs(Date.now()), used }
  let isRateWritten = false
  onUsed(used)
  const write = throttled(async () => {
    const { startsAtMs: monthStartsAtMs, used: calls } = monthUse
    const { rate } = pacer.usage()
    isRateWritten = rate !== null
    // A process that makes no or few calls learns no rate.
    const known = { reserve: reserve(), rate: rate ?? learnedRate }
    const count = { keyId, monthStartsAtMs, used: calls, ...known }
    // A full disk fails a load, which reports it. The count is written again later.
    await writeMonthCount(paths.stateDir, count).catch(() => undefined)
  }, WRITE_EVERY_MS)
  const link = linkBudget({
    client,
    keyId,
    lostAfterMs: engine.lostAfterMs,
    // Workers of a DuckLake may use the same path on several machines.
    place: `${paths.lake === null ? '' : `${hostname()}/`}${warehouseId(paths.root)}`,
    pacer,
    month: {
      // Schedules need fewer calls towards the end of a month.
      get limits() {
        return { ceiling, reserve: reserve() }
      },
      setLease: (lease) => gate.setLease(lease),
      waiting: () => gate.waiting(),
    },
    monthUse,
    onUsed: (month) => {
      monthUse = month
      onUsed(month.used)
      if (!isRateWritten && pacer.usage().rate !== null) void write.now()
      else write.soon()
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
      await write.now()
    },
  }
}

/**
 * Does work at most once in `everyMs`: `soon` does it at once, or when the time is over, so that the last change is never
 * left out. `now` does it whatever the time. A waiting timer does not keep the process alive.
 */
export function throttled(work: () => Promise<void>, everyMs: number) {
  let doneAtMs = -Infinity
  let timer: NodeJS.Timeout | undefined
  const now = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    doneAtMs = performance.now()
    await work()
  }
  return {
    now,
    soon: (): void => {
      const restMs = doneAtMs + everyMs - performance.now()
      if (restMs <= 0) void now()
      else timer ??= setTimeout(() => void now(), restMs).unref()
    },
  }
}
