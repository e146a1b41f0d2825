import type { Config } from '../../config/config.ts'
import type { Unreachable } from '../../plan/plan-slices.ts'
import type { PlannedExport } from '../run/plan-export.ts'
import { alignColumns } from './align-columns.ts'
import { approximateDuration, bytes, count } from './quantities.ts'

const MINUTE_MS = 60_000
/** Unreachable series named one by one; the rest is counted. */
const NAMED_UNREACHABLE = 5

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
  for (const { top } of plan.pendingUniverses) {
    lines.push(`top:${top} is chosen by market cap when the backfill starts, and frozen then`)
  }
  lines.push(...unreachableLines(plan.unreachable))
  return lines
}

function range({ min, max }: { min: number; max: number }): string {
  return min === max ? count(max) : `${count(min)} to ${count(max)}`
}

function unreachableLines(unreachable: readonly Unreachable[]): string[] {
  const why = {
    source_reach: 'the source does not answer that far back',
    plan_limit: 'the plan of the key does not reach that far back',
  }
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
  const lines = unreachable
    .slice(0, NAMED_UNREACHABLE)
    .map(
      (hole) =>
        `cannot be reached: ${hole.dataset} ${hole.entity} ${hole.vsCurrency} ${hole.granularity} [${day(hole.fromMs)}, ${day(hole.toMs)}): ${why[hole.reason]}`,
    )
  const rest = unreachable.length - NAMED_UNREACHABLE
  if (rest > 0) lines.push(`... and ${count(rest)} more series that cannot be reached (see --json)`)
  return lines
}
