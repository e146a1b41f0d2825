import { selectorText } from '../../config/coin-selector.ts'
import type { Config } from '../../config/config.ts'
import type { PlannedExport } from '../run/plan-export.ts'
import { alignColumns } from './align-columns.ts'
import { approximateDuration, bytes, count } from './quantities.ts'
import { unreachableLines } from './unreachable-lines.ts'

const MINUTE_MS = 60_000

/** A priced plan as lines for people. */
export function planText({ plan, price, usedThisMonth }: PlannedExport, config: Config): string[] {
  const lines: string[] = []
  if (plan.slices.length === 0 && plan.pendingUniverses.length === 0) {
    lines.push('nothing to do: everything that is asked for is in the warehouse')
  }
  const rows = price.perDataset.map((dataset) => [
    dataset.dataset,
    range(dataset.slices),
    range(dataset.calls),
    count(dataset.rows),
    bytes(dataset.diskBytes),
  ])
  if (rows.length > 0) {
    lines.push(...alignColumns(['dataset', 'slices', 'calls', 'rows', 'disk'], rows, [1, 2, 3, 4]))
  }
  lines.push(
    `calls    ${range(price.calls)}${price.calls.exact ? '' : ' (bounds: some lists have not been read yet)'}`,
  )
  const { rate } = config.source
  lines.push(
    price.minutes === null || rate === null
      ? 'time     unknown: the rate is learned from the first answers (or say source.rate)'
      : `time     about ${approximateDuration(price.minutes.max * MINUTE_MS)} at ${rate.calls} calls per ${approximateDuration(rate.perMs)}`,
  )
  lines.push(`rows     about ${count(price.rows)}`, `disk     about ${bytes(price.diskBytes)}`)
  if (price.month !== null) {
    const percent = (share: number): string => `${Math.ceil(share * 100)} %`
    const { share, isExceeded } = price.month
    lines.push(
      `month    ${share.min === share.max ? percent(share.max) : `${percent(share.min)} to ${percent(share.max)}`} of ${count(config.source.monthlyCalls ?? 0)} calls; ${count(usedThisMonth)} used${isExceeded ? '; this is MORE THAN THE MONTH HOLDS' : ''}`,
    )
  }
  for (const selector of plan.pendingUniverses) {
    const by = 'top' in selector ? ' by market cap' : ''
    lines.push(`${selectorText(selector)} is chosen${by} when the backfill starts, and frozen then`)
  }
  lines.push(...unreachableLines(plan.unreachable, plan.unreachable.length))
  return lines
}

function range({ min, max }: { min: number; max: number }): string {
  return min === max ? count(max) : `${count(min)} to ${count(max)}`
}
