import { DAY_MS, ohlcGranularity } from '../api/granularity.ts'
import { COIN_CHART } from './chart-subject.ts'
import type { Answer, TableSpec } from './dataset.ts'
import { PRICES } from './ohlc-tables.ts'
import { roundPrice } from './round-price.ts'

/** ohlc: the candles that started in the last `days` days. */
export function ohlcAnswer(spec: TableSpec): Answer {
  return {
    select: (params, nowMs) => {
      const days = params['days'] === 'max' ? 'max' : Number(params['days'])
      return [
        {
          table: spec.name,
          equals: {
            coin_id: params['id'] ?? '',
            vs_currency: params['vs_currency'] ?? '',
            granularity: ohlcGranularity(days),
          },
          between: {
            column: 'ts',
            fromMs: days === 'max' ? 0 : nowMs - days * DAY_MS,
            toMs: nowMs,
          },
          orderBy: [{ column: 'ts' }],
        },
        COIN_CHART.known(params),
        { table: spec.name, equals: COIN_CHART.equals(params), orderBy: [], limit: 1 },
      ]
    },
    toBody: ([candles = [], ...known], params) =>
      candles.length === 0 && known.every((rows) => rows.length === 0)
        ? null
        : candles.map((row) => [
            row['close_at'],
            ...PRICES.map((name) => roundPrice(row[name], params)),
          ]),
  }
}
