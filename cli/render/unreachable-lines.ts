import type { UnreachableHistory, UnreachableSum } from '../../plan/unreachable-history.ts'
import { counted, daysText } from './quantities.ts'
import { utcInterval } from './utc-text.ts'

const WHY: Readonly<Record<UnreachableSum['reason'], string>> = {
  source_reach: 'the source does not answer that far back',
  plan_limit: 'the plan of the key does not reach that far back',
  unknown_at_source: 'unknown at the source',
}

/** Lines for history that no run can fetch, by dataset, granularity and reason. */
export function unreachableLines({ datasets }: UnreachableHistory): string[] {
  return datasets.map((sum) => {
    const { dataset, granularity, reason, fromMs, toMs } = sum
    const name = granularity === '' ? dataset : `${dataset} ${granularity}`
    return `cannot be reached: ${name}: ${lengthText(sum)} ${utcInterval(fromMs, toMs)}: ${WHY[reason]}`
  })
}

function lengthText({ series, days, selector, daysEach }: UnreachableSum): string {
  const each = daysEach === null ? '' : `${daysText(daysEach)} of each coin of ${selector}`
  if (series === null || days === null) return each
  const all = `${daysText(days)} of ${counted(series, 'series', 'series')}`
  return each === '' ? all : `${all}, ${each}`
}
