import { approximateDuration, bytes } from '../render/quantities.ts'
import { seriesText } from '../../config/order-label.ts'
import { utcMinute } from '../render/utc-text.ts'
import type { Freshness } from '../freshness/freshness-facts.ts'
import { needsAlert } from '../freshness/freshness-facts.ts'
import type { DiskUse } from './disk-use.ts'

/** A line for each order: whether its newest point is as new as it should be, and since when not. */
export function freshnessLines(freshness: readonly Freshness[]): string[] {
  return freshness.map((one) => {
    const { order, granularity, newestAt, ageMs, allowedMs, staleSince } = one
    const series = seriesText(order, granularity)
    const word = needsAlert(one) ? 'stale' : one.state === 'none' ? 'missing' : one.state
    if (newestAt === null || ageMs === null) {
      const what = one.state === 'empty' ? 'the source has nothing' : 'nothing is published'
      return `${word}: ${series}: ${what}`
    }
    const newest = `newest ${utcMinute(newestAt)}`
    // The age of a history that has ended is told from its end: it says nothing.
    if (one.state === 'ended') return `${word}: ${series}: ${newest}`
    const bound =
      one.state === 'stale'
        ? `stale since ${utcMinute(staleSince ?? newestAt)}`
        : `stale after ${approximateDuration(allowedMs)}`
    return `${word}: ${series}: ${newest}, ${approximateDuration(ageMs)} old (${bound})`
  })
}

/** The warehouse's use of the disk, and the free space. Parts that are not here, as those in a bucket, are left out. */
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
  return `disk: ${parts.join(', ')}; ${bytes(use.freeBytes)} free`
}
