import { HOUR_MS } from '../../config/values/duration.ts'
import type { OperationId } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import { currencyOf } from '../market/currency-list.ts'
import type { Body, Market } from '../market/market-entries.ts'
import { dayAt, knotAt } from '../market/time-grid.ts'

const HOURS = 7 * 24

/**
 * Adds the hourly prices of the last 7 days to an answer that was asked for them. No row has them, because the export
 * asks for no sparkline.
 */
export function addSparklines(
  market: Market,
  operation: OperationId,
  params: ParamValues,
  body: unknown,
): void {
  if (params['sparkline'] !== 'true') return
  if (operation === 'coins/markets') {
    for (const entry of body as Body[]) {
      entry['sparkline_in_7d'] = sparkline(market, String(entry['id']), params['vs_currency']!)
    }
  }
  const { id, market_data: data } = body as Body
  if (operation === 'coins/{id}' && data !== undefined) {
    ;(data as Body)['sparkline_7d'] = sparkline(market, String(id), 'usd')
  }
}

function sparkline({ spec, prices, coinOf }: Market, id: string, code: string): Body {
  const coin = coinOf(id)!
  const vs = currencyOf(code)
  const lastMs = Math.floor(spec.nowMs / HOUR_MS) * HOUR_MS
  const hours = Array.from({ length: HOURS }, (_, index) => lastMs - (HOURS - 1 - index) * HOUR_MS)
  return {
    price: hours
      .filter((ms) => dayAt(ms) >= coin.listedDay)
      .map((ms) => prices.price(coin, vs, knotAt(ms))),
  }
}
