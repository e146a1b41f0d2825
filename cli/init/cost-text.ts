import type { InitCosts } from '../../config/settings/init-template.ts'
import { between, count, percent, periodText } from '../render/quantities.ts'
import { utcDay } from '../render/utc-text.ts'
import type { Bounds } from '../../plan/price-slice.ts'
import type { PricedAnswers } from './price-answers.ts'

export const CHOICE_LEGEND = `Beside each choice: calls of the first run, then of a month of later runs.
(1 %): at most so much of the key's month. *: some of it is out of reach.`

/** The cost of a choice, short enough to stand beside it: "4–85 (1 %), then 124–2,635 (27 %)". */
export function choiceText({ price, isCut, repeatPrice: month }: PricedAnswers): string {
  const part = (calls: Bounds, share: Bounds | null): string => {
    const range = calls.min === calls.max ? '' : `${count(calls.min)}–`
    const most = share === null ? '' : ` (${percent({ min: share.max, max: share.max })})`
    return `${range}${count(calls.max)}${most}`
  }
  const first = part(price.calls, price.month?.share ?? null)
  return `${first}, then ${part(month.calls, month.monthShare)}${isCut ? ' *' : ''}`
}

export function costComments(priced: PricedAnswers, nowMs: number): InitCosts {
  const { price, repeated } = priced
  const firstOf = new Map(price.perDataset.map(({ order, calls }) => [order, calls]))
  const labels = repeated[0]?.perDataset.map(({ order }) => order) ?? []
  const day = utcDay(nowMs)
  return {
    whole: [
      `Calls for a new warehouse, then for a month (31 days), as of ${day}:`,
      ...costLines(priced),
      '`coinlake plan` counts again.',
    ],
    orders: Object.fromEntries(
      labels.map((label, index) => {
        const first = between(firstOf.get(label) ?? { min: 0, max: 0 })
        const months = repeated.map(({ runEveryMs, perDataset }) => {
          return `${between(perDataset[index]!.calls)} ${periodText(runEveryMs)}`
        })
        return [label, `calls: ${first}, then a month ${months.join(', ')}`]
      }),
    ),
  }
}

/** The cost of the first run and of later months, and the survivorship bias of the choice of coins. */
export function costLines({
  price,
  repeated,
  monthlyCalls,
  survivorship,
}: PricedAnswers): string[] {
  const share = (of: Bounds | null): string =>
    of === null || monthlyCalls === null ? '' : ` (${percent(of)} of ${count(monthlyCalls)})`
  return [
    `calls of the first run: ${between(price.calls)}${share(price.month?.share ?? null)}`,
    ...repeated.map(
      ({ runEveryMs, calls, monthShare }) =>
        `calls of a month, run ${periodText(runEveryMs)}: ${between(calls)}${share(monthShare)}`,
    ),
    ...survivorship,
  ]
}
