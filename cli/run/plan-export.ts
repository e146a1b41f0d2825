import type { CallRate } from '../../api/rate-headers.ts'
import { planFor } from '../../activities/plan/plan-run.ts'
import type { Config } from '../../config/config.ts'
import { missingKeyWarning } from '../../config/require-key.ts'
import { wantedFromConfig } from '../../config/wanted.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import { datasets } from '../../datasets/index.ts'
import { monthFit, type MonthFit, type MonthOfKeys } from '../../plan/month-fit.ts'
import type { SlicePlan } from '../../plan/plan-slices.ts'
import { survivorshipLines } from '../../plan/survivorship.ts'
import {
  pendingUnreachable,
  type UnreachableHistory,
  unreachableHistory,
} from '../../plan/unreachable-history.ts'
import { ledgerReader } from '../../sinks/duckdb-store/ledger/ledger-reader.ts'
import type { Effects } from '../effects.ts'
import { type OpenLedger, openLedger } from '../ledger/open-ledger.ts'
import { requireNewestStore } from '../ledger/load-numbers.ts'
import { goneStoreError } from '../ledger/lost-store.ts'
import { requireSameSource } from '../ledger/same-source.ts'
import { freeBytesAt } from '../../stage/room.ts'
import { diskUse, type DiskUse } from '../status/disk-use.ts'
import { doubtfulNameWarnings } from './doubtful-names.ts'
import { keyMonths, monthOfAllKeys, sumOfRates } from './key-months.ts'
import { callsOfSchedules, monthReserve } from './month-reserve.ts'
import { nextFetchMs } from './next-fetch.ts'
import { priceExport, type ExportPrice } from './price-export.ts'
import { chosenUniverses } from './scheduled-calls.ts'
import { withOpen } from './closing-after.ts'

export interface PlannedExport extends ExportPrice {
  plan: SlicePlan
  /** History that no run can fetch, also of coins that are not chosen yet. */
  unreachable: UnreachableHistory
  /** Known calls of all processes with these keys in this UTC month. */
  usedThisMonth: number
  /** The month of all keys, and whether a backfill fits into it; null = no ceiling is known. */
  month: MonthOfKeys | null
  fit: MonthFit | null
  /** The most calls of all schedules in a month; null = no schedules, or the file is incomplete without flags. */
  scheduledCalls: number | null
  /** Another source than before, a missing key, and ids that are probably mistyped. */
  warnings: string[]
  /** The warehouse's use of the disk; null = there is no warehouse. */
  disk: DiskUse | null
  /** Free bytes where the warehouse lies, or will lie; null = its file system does not say. */
  freeBytes: number | null
  /** The bias of histories of chosen coins, a line for each selector. */
  survivorship: string[]
  /** The rate of all keys together that a run or `doctor` has learned; null = not known, or configured. */
  learnedRate: CallRate | null
  /** The next time with something to fetch, ISO; null = now, never, or not known. */
  nextCallAt: string | null
  /** Where the ledger was read; `note` warns if it may be behind. */
  source: OpenLedger['source']
  note: string | null
}

/**
 * Plans and prices a backfill with this configuration. Fetches nothing and makes nothing.
 *
 * @throws ConfigError, also SOURCE_CHANGED; SinkError STORE_GONE, STORE_BEHIND; WarehouseBusyError
 */
export async function planExport(
  effects: Effects,
  config: Config,
  { isAfresh = false }: { isAfresh?: boolean } = {},
): Promise<PlannedExport> {
  const { clock } = effects
  const order = { wanted: wantedFromConfig(config, datasets, clock) }
  const paths = pathsOf(config)
  const gone = goneStoreError(paths)
  if (gone !== null && !isAfresh) throw gone
  return await withOpen(openLedger(paths, clock), async (open) => {
    if (open.source === 'store' && !isAfresh) await requireNewestStore(paths, open)
    const otherSource = await requireSameSource(config, open, { isAfresh })
    const ledger = ledgerReader({ reader: open })
    const plan = await planFor(order, { clock, config, store: ledger })
    const nowMs = clock.nowMs()
    const disk = await diskUse(paths)
    const freeBytes = disk === null ? freeBytesAt(paths.root) : disk.freeBytes
    const scheduledCalls = await callsOfSchedules(config, { ...effects, ledger })
    const reserveOf = monthReserve(config, scheduledCalls)
    // The ledger counts this warehouse's calls, the state folder those of every process with the keys.
    const months = await keyMonths(config, (sinceMs) => ledger.callsSince(sinceMs), reserveOf)
    const month = monthOfAllKeys(months)
    const usedThisMonth = months.reduce((sum, { used }) => sum + used, 0)
    const universes = await chosenUniverses(order.wanted, ledger)
    const listings = await ledger.knownListings()
    const planned = { wanted: order.wanted, plan, nowMs }
    const learnedRate = config.source.rate === null ? sumOfRates(months) : null
    const known = { listings, universes, usedThisMonth, learnedRate }
    const priced = priceExport(config, datasets, planned, known)
    const { calls, minutes } = priced.price
    const perCall = minutes === null || calls.max === 0 ? null : minutes.max / calls.max
    const fit = month === null ? null : monthFit(calls, month, perCall, Date.now())
    const { maxHistoryDays } = config.source
    const input = { wanted: order.wanted, nowMs, datasets, maxHistoryDays, universes }
    const pending = pendingUnreachable(input, plan.pendingUniverses)
    const unreachable = unreachableHistory(plan.unreachable, pending)
    const survivorship = survivorshipLines(order.wanted, datasets)
    const isNothing = plan.slices.length === 0 && plan.pendingUniverses.length === 0
    const nextMs = isNothing
      ? await nextFetchMs(order, datasets, { config, store: ledger, nowMs })
      : null
    const nextCallAt = nextMs === null ? null : new Date(nextMs).toISOString()
    const doubted = await doubtfulNameWarnings(open.rows, order.wanted)
    const warnings = [otherSource, missingKeyWarning(config), ...doubted].filter(
      (text) => text !== null,
    )
    const facts = {
      unreachable,
      survivorship,
      usedThisMonth,
      month,
      fit,
      disk,
      freeBytes,
      learnedRate,
    }
    const { source, note } = open
    return { plan, ...facts, scheduledCalls, warnings, nextCallAt, ...priced, source, note }
  })
}
