import { frozenClock } from '../../config/clock.ts'
import type { Config } from '../../config/config.ts'
import { initTemplate } from '../../config/settings/init-template.ts'
import { parseConfig } from '../../config/load-config.ts'
import { wantedFromConfig } from '../../config/wanted.ts'
import { datasets } from '../../datasets/index.ts'
import { planSlices } from '../../plan/plan-slices.ts'
import { survivorshipLines } from '../../plan/survivorship.ts'
import type { RepeatPrice } from '../../plan/repeat-price.ts'
import { priceExport, type ExportPrice } from '../run/price-export.ts'

export interface PricedAnswers extends ExportPrice {
  /** The price of a month of runs that begin as often as snapshots are taken, and at least daily. */
  repeatPrice: RepeatPrice
  /** Calls of the key's month; null = not known. */
  monthlyCalls: number | null
  /** Whether some wanted history is out of reach. */
  isCut: boolean
  survivorship: string[]
}

/** The price of a file with these answers for an empty warehouse, written, read and planned as by `coinlake plan`. */
export function priceAnswers(answers: Config, nowMs: number): PricedAnswers {
  const text = initTemplate(answers, datasets)
  const config = parseConfig({ file: 'coinlake.yaml', env: {}, datasets }, text)
  const wanted = wantedFromConfig(config, datasets, frozenClock(nowMs))
  const { maxHistoryDays, monthlyCalls } = config.source
  const plan = planSlices({ wanted, datasets, nowMs, maxHistoryDays, covered: [], universes: {} })
  const empty = { listings: [], universes: {}, usedThisMonth: 0, learnedRate: null }
  const price = priceExport(config, datasets, { wanted, plan, nowMs }, empty)
  const survivorship = survivorshipLines(wanted, datasets)
  const everyMs = answers.datasets.find((order) => order.everyMs > 0)?.everyMs
  const { repeated } = price
  const repeatPrice = repeated.find(({ runEveryMs }) => runEveryMs === everyMs) ?? repeated[0]!
  const isCut = plan.unreachable.length > 0
  return { ...price, repeatPrice, monthlyCalls, isCut, survivorship }
}
