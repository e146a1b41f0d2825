import { DAY_MS, ohlcGranularity } from '../api/granularity.ts'
import { coinIsKnown } from './chart-answers.ts'
import type { Answer, TableSpec } from './dataset.ts'

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
        ...coinIsKnown(spec.name, params),
      ]
    },
    toBody: ([candles = [], ...known]) =>
      candles.length === 0 && known.every((rows) => rows.length === 0)
        ? null
        : candles.map((row) => [
            row['close_at'],
            row['open'],
            row['high'],
            row['low'],
            row['close'],
          ]),
  }
}
