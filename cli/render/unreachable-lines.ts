import type { Unreachable } from '../../plan/plan-slices.ts'
import { counted } from './quantities.ts'

/** Series named one by one; the rest is counted. */
const NAMED = 5

const WHY: Readonly<Record<Unreachable['reason'], string>> = {
  source_reach: 'the source does not answer that far back',
  plan_limit: 'the plan of the key does not reach that far back',
}

/**
 * The history that no later run could get either.
 *
 * @param total how many series there are, of which `series` may be only the first.
 */
export function unreachableLines(series: readonly Unreachable[], total: number): string[] {
  const named = series.slice(0, NAMED)
  const lines = named.map((hole) => {
    const { dataset, entity, vsCurrency, granularity, fromMs, toMs, reason } = hole
    const name = [dataset, entity, vsCurrency, granularity].filter((part) => part !== '').join(' ')
    return `cannot be reached: ${name} [${day(fromMs)}, ${day(toMs)}): ${WHY[reason]}`
  })
  const rest = total - named.length
  if (rest > 0) {
    lines.push(
      `... and ${counted(rest, 'more series', 'more series')} that cannot be reached (see --json)`,
    )
  }
  return lines
}

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
