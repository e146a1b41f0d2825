import { approximateDuration, bytes, freeText } from '../render/quantities.ts'
import { seriesText } from '../../config/order-label.ts'
import { utcMinute } from '../render/utc-text.ts'
import { needsAlert, type Freshness } from '../freshness/freshness-facts.ts'
import { GONE_HINT } from '../query/gone-publications.ts'
import { monthText } from '../render/month-text.ts'
import { stallText } from '../watch/tell-stalls.ts'
import type { DiskUse } from './disk-use.ts'
import type { WarehouseState } from './warehouse-state.ts'

/**
 * The state as lines for people. Before the first run, series without data are left out.
 *
 * @param isCheck shows them, because the check fails for them
 */
export function stateLines(state: WarehouseState, isCheck: boolean): string[] {
  const { months, freshness, gone, unreadable, disk, stalled } = state
  const isAnything = freshness.some(({ newestAt }) => newestAt !== null)
  const shown = isAnything || isCheck ? freshness : freshness.filter(needsAlert)
  const monthLines = months.flatMap(({ keyId, used, ceiling, reserve }) => {
    if (ceiling === null) return []
    const whose = months.length === 1 ? '' : ` of key ${keyId}`
    return [`month${whose}: ${monthText({ used, ceiling, reserve: reserve ?? 0 })}`]
  })
  const diskLines = disk === null || disk.storeBytes === 0 ? [] : [diskLine(disk)]
  const doubted = freshness.length === 0 ? 'freshness' : 'what is published'
  const doubt = unreadable === null ? [] : [`${doubted} is not known: ${unreadable}`]
  return [
    ...stalled.map(stallText),
    ...monthLines,
    ...freshnessLines(shown),
    ...gone.map(({ sink, what }) => `gone: ${sink}: ${what} (${GONE_HINT})`),
    ...doubt,
    ...diskLines,
  ]
}

function freshnessLines(freshness: readonly Freshness[]): string[] {
  return freshness.map((one) => {
    const { order, granularity, newestAt, ageMs, allowedMs, staleSince } = one
    const series = seriesText(order, granularity)
    const word = needsAlert(one) ? 'stale' : one.state === 'none' ? 'missing' : one.state
    if (newestAt === null || ageMs === null) {
      const what = one.state === 'empty' ? 'the source has nothing' : 'nothing is published'
      return `${word}: ${series}: ${what}`
    }
    const newest = `newest ${utcMinute(newestAt)}`
    // The age of an ended history means nothing.
    if (one.state === 'ended') return `${word}: ${series}: ${newest}`
    const bound =
      one.state === 'stale'
        ? `stale since ${utcMinute(staleSince ?? newestAt)}`
        : `stale after ${approximateDuration(allowedMs)}`
    return `${word}: ${series}: ${newest}, ${approximateDuration(ageMs)} old (${bound})`
  })
}

/** The warehouse's use of the disk, and the free space. Parts that are not on this disk are left out. */
export function diskLine(use: DiskUse): string {
  const stage = use.isWhole ? 'stage' : 'stage at least'
  const sizes = {
    store: use.storeBytes,
    [stage]: use.stageBytes,
    published: use.duckdbBytes,
    parquet: use.parquetBytes,
  }
  const parts = Object.entries(sizes).flatMap(([part, size]) =>
    size === 0 && use.isWhole ? [] : [`${part} ${bytes(size)}`],
  )
  return `disk: ${parts.join(', ')}; ${freeText(use.freeBytes)}`
}
